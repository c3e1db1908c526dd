"""Bad input for a user's own memory: one sentence with the place and the remedy, before any call."""

import functools
import os

import numpy as np
import pandas as pd
import pytest

import jointcore
from jointcore.decisions.judges.scripted import Scripted
from own.cases import QUERY, TEXTS


def never(retained):
    """A judge that must not be asked."""
    raise AssertionError("the judge was called")


GOOD = [{"text": "a"}, {"text": "b"}]
CASES = {
    "no memories": ([], {}, "no memories"),
    "a text": (42, {}, "of type int"),
    "an object": ({"text": "a"}, {}, "of type dict"),
    "an item": (["a", 3], {}, "memory 1 is of type int"),
    "no text": ([{"id": 1}], {}, "memory 0 has no text but id; add it"),
    "another product's": ([{"memory": "x"}], {}, "name the product it comes from with source"),
    "empty text": (["a", " \n"], {}, "memory 1 has an empty text"),
    "text of another type": ([{"text": 3}], {}, "memory 0 has the text 3, of type int"),
    "duplicate ids": ([{"text": "a", "id": 1}, {"text": "b", "id": 1}], {}, "memory 0 and memory 1 have the same id 1"),
    "some ids": ([{"text": "a", "id": 1}, {"text": "b"}], {}, "memory 1 has no id but others have"),
    "an unhashable id": ([{"text": "a", "id": [1]}], {}, r"has the id \[1\]"),
    "zero cost": ([{"text": "a", "cost": 0}], {}, "memory 0 has the cost 0; give a number above zero"),
    "negative cost": (GOOD, {"costs": [1, -2]}, "memory 1 has the cost -2"),
    "no number": ([{"text": "a", "cost": "dear"}], {}, "memory 0 has the cost 'dear'; give a finite number"),
    "some costs": ([{"text": "a", "cost": 1}, {"text": "b"}], {}, "memory 1 has no cost"),
    "costs of another length": (GOOD, {"costs": [1]}, "cost has 1 numbers for 2 memories"),
    "costs twice": ([{"text": "a", "cost": 1}], {"costs": [1]}, "given twice"),
    "NaN relevance": ([{"text": "a", "relevance": float("nan")}], {}, "memory 0 has the relevance nan"),
    "NaN in a list": (GOOD, {"relevance": [1, np.nan]}, "memory 1 has the relevance nan"),
    "relevance of another length": (GOOD, {"relevance": [1, 2, 3]}, "relevance has 3 numbers for 2 memories"),
    "relevance that is no list": (GOOD, {"relevance": 3}, "relevance is of type int"),
    "relevance of nothing": (GOOD, {"relevance": [1, None]}, "memory 1 has no relevance"),
    "an unknown ranking": (GOOD, {"relevance": "magic"}, "relevance is 'magic'"),
    "a ranking beside relevance": ([{"text": "a", "relevance": 1}], {"relevance": "bm25"}, "leave one of the two out"),
    "a ranking of another length": (GOOD, {"relevance": lambda query, texts: [1]}, "does not give one finite number"),
    "one answer": (GOOD, {"answers": ["YES"]}, "offer"),
    "a prefix": (GOOD, {"answers": ["YES", "YES, but"]}, "begins the answer"),
    "an empty answer": (GOOD, {"answers": ["YES", " "]}, "holds no word"),
    "answers as a text": (GOOD, {"answers": "YES"}, "give a list of answers"),
    "the same number twice": (GOOD, {"answers": [1, 1]}, "offer two different ones"),
    "an unknown normaliser": (GOOD, {"normalise": "upper"}, "normalise is 'upper'"),
    "an unknown method": (GOOD, {"method": "magic"}, "unknown method 'magic'"),
    "a method that knows the truth": (GOOD, {"method": "exact_oracle"}, "needs to know which memories are right"),
    "a method that alters": (GOOD, {"method": "cmi_all"}, "alters values"),
    "a cap of zero": (GOOD, {"cap": 0}, "cap is 0"),
    "a fractional budget": (GOOD, {"budget": 1.5}, "budget is 1.5"),
    "an unknown source": (GOOD, {"source": "magic"}, "unknown source 'magic'"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_one_sentence_before_any_call(name):
    memories, options, expected = CASES[name]
    for call in (jointcore.select, jointcore.overturn):
        with pytest.raises(jointcore.InputError, match=expected) as caught:
            call(memories, never, QUERY, **options)
        assert "\n" not in str(caught.value)


def test_a_ranking_without_a_query_and_a_query_of_another_type():
    with pytest.raises(jointcore.InputError, match="needs a query"):
        jointcore.select(GOOD, never, relevance="bm25")
    with pytest.raises(jointcore.InputError, match="query is of type int"):
        jointcore.select(GOOD, never, 3)


def test_a_judge_that_cannot_be_one():
    with pytest.raises(jointcore.InputError, match="judge is of type str"):
        jointcore.select(GOOD, "gpt", QUERY)
    catalogue = Scripted(lambda query: "YES")
    for options, expected in (
        ({}, "give query and answers"),
        ({"answers": ["YES", "NO"], "store": "x"}, "keeps its own answers"),
        ({"answers": ["YES", "NO"], "normalise": "case"}, "leave normalise out"),
    ):
        with pytest.raises(jointcore.InputError, match=expected):
            jointcore.select(GOOD, catalogue, QUERY, **options)
    assert jointcore.select(GOOD, catalogue, QUERY, answers=["YES", "NO"]).kept == []
    with pytest.raises(jointcore.InputError, match="give judge_name"):
        jointcore.select(GOOD, functools.partial(max, key=len), QUERY, store="x")


def test_methods_that_are_named_twice():
    with pytest.raises(jointcore.InputError, match="different methods"):
        jointcore.compare(GOOD, never, QUERY, methods=["ddmin", "ddmin"])


FILES = {
    "a.txt": (b"x", "does not end in"),
    "a.jsonl": (b'{"text": "a"}\n\n{"text": \n', "a.jsonl line 3 is not valid JSON"),
    "b.jsonl": (b'{"text": "a"}\n{"text": "\xff"}\n', "b.jsonl line 2 is not UTF-8"),
    "c.jsonl": (b'{"text": "a"}\n{"text": ""}\n', "c.jsonl line 2 has an empty text"),
    "d.jsonl": (b"", "no memories"),
    "e.jsonl": (b'{"text": "a", "id": 1}\n{"text": "b", "id": 1}\n', "line 1 and .*line 2 have the same id"),
    "a.json": (b'{"a": 1}', "holds no list of memories"),
    "b.json": (b"[\n1,]", "b.json line 2 is not valid JSON"),
    "c.json": (b'["a", null]', "c.json item 1 is of type NoneType"),
    "a.csv": (b"id,text\n1,x\n2\n", "a.csv line 3 has another number of cells"),
    "b.csv": (b"id,text\n1,\n", "b.csv line 2 has an empty text"),
    "c.csv": (b"text,cost\nx,much\n", "c.csv line 2 has the cost 'much'"),
    "a.parquet": (b"nonsense", "is not a readable Parquet file"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_named_with_its_line(tmp_path, name):
    content, expected = FILES[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(jointcore.InputError, match=expected):
        jointcore.select(tmp_path / name, never, QUERY)


def test_a_missing_or_unreadable_file(tmp_path):
    for name in ("a.jsonl", "a.parquet"):
        with pytest.raises(jointcore.InputError, match="does not exist"):
            jointcore.select(tmp_path / name, never, QUERY)
    if os.geteuid():
        (tmp_path / "b.csv").touch(mode=0)
        with pytest.raises(jointcore.InputError, match="cannot be read"):
            jointcore.select(tmp_path / "b.csv", never, QUERY)


def test_every_way_to_bring_the_same_memories_reads_alike(tmp_path):
    rows = [{"id": f"m{i}", "text": text, "cost": i + 1.5, "time": f"2026-01-0{i + 1}"} for i, text in enumerate(TEXTS)]
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "m.csv", index=False)
    frame.to_parquet(tmp_path / "m.parquet")
    frame.to_json(tmp_path / "m.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "m.json", orient="records")
    for given in (rows, frame, *(tmp_path / f"m.{kind}" for kind in ("csv", "parquet", "jsonl", "json"))):
        found = jointcore.read_memories(given)
        assert [(m.id, m.text, m.cost, m.time) for m in found] == [tuple(row.values()) for row in rows]


def test_empty_cells_are_no_values():
    frame = pd.DataFrame({"text": ["a", "b"], "role": ["user", None], "note": [1.0, np.nan]})
    first, second = jointcore.read_memories(frame)
    assert (first.role, second.role) == ("user", None)
    assert (first.metadata, second.metadata) == ({"note": 1.0}, {})
