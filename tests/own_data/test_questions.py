"""Files of questions about own memories: what is read, and every mistake with its line."""

from __future__ import annotations

import json

import pytest

from jointcore.bitsets import bitset
from jointcore.decisions.protocol import decided
from jointcore.errors import InputError
from jointcore.local_models.text_grammar import POLICIES, leaves, query_text
from jointcore.own_data.questions import memory_files, read_questions
from jointcore.own_data.selection import own_cases, own_methods, own_row, select_own
from paths import PROJECT

SAMPLE = PROJECT / "examples/data/own_data.jsonl"
SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


def written(folder, *lines):
    """A file of these lines."""
    path = folder / "questions.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


class Yard:
    """The made-up world itself as judge, which counts what it is asked."""

    def __init__(self):
        self.asked = []

    def decide(self, queries):
        """By the policy of the vehicle that is asked about."""
        self.asked += queries
        return [self._decide(query.question, query.retained) for query in queries]

    def _decide(self, question, retained):
        vehicle = next(name for name in POLICIES if query_text(name) == question.condition.text)
        texts = [record.value for record in question.records if retained >> record.id & 1]
        return decided(question.actions[not leaves(vehicle, texts)], question.actions)


def test_the_sample_is_read_whole():
    questions = read_questions(SAMPLE, ["YES", "NO"])
    assert len(questions) == 20
    assert {question.answers for question in questions} == {("YES", "NO"), ("GO", "WAIT")}
    assert min(len(question.memories) for question in questions) >= 7
    assert [path.split("/")[-1] for path in memory_files(SAMPLE)] == ["yard_12.jsonl", "yard_17.jsonl"]


def test_with_a_judge_that_does_not_err_what_is_kept_is_known():
    judge = Yard()
    methods = own_methods(["jointcore_anchored", "quickxplain"])
    runs = select_own(judge, read_questions(SAMPLE, ["YES", "NO"]), methods, SETTINGS, "bm25")
    assert len(runs) == 40
    cases = {case["title"]: case for case in own_cases(runs)}
    assert len(cases) == 20
    for run in runs:
        row, case = own_row(run), cases[run.question.id]
        shown = next(method for method in case["methods"] if method["name"] == run.method.name)
        vehicle = next(name for name in POLICIES if query_text(name) == case["query"])
        rule = POLICIES[vehicle].rule
        if run.reference.action in ("YES", "GO"):
            assert len(row["kept"]) == (2 if rule == "both" else 1)
        else:
            # A hazard stays where it was needed before the paper went; QuickXplain never decides the empty set.
            assert len(row["kept"]) <= (rule == "safe" or run.method.slug == "quickxplain")
        assert row["preserved"]
        assert row["complete"]
        assert row["calls"] == shown["calls"] < 20
        assert shown["kept"] == row["kept"]
        if run.method.slug == "jointcore_anchored":
            assert list(shown["needed"]) == row["kept"]
        for kept, without in shown["needed"].values():
            assert kept == row["kept"]
            assert without in [step["tested"] for step in shown["steps"] if not step["same"]]
        assert row["cost"] == sum(len(record["text"].split()) for record in case["records"])
    # A set that both methods ask is asked once.
    sets = [(query.question.id, query.retained) for query in judge.asked]
    assert len(sets) == len(set(sets))


def test_costs_relevance_and_ids_of_the_file_are_kept(tmp_path):
    memories = [
        {"id": "b", "text": "one two", "cost": 7, "relevance": 1},
        {"id": "a", "text": "three", "cost": 2, "relevance": 5},
    ]
    path = written(tmp_path, {"id": 4, "query": "Why?", "answers": ["x", "y"], "memories": memories})
    (asked,) = read_questions(path)
    question = asked.ready(len, "bm25")
    assert question.id == "4"
    assert question.memory.costs == (7, 2)
    assert question.memory.relevance == (1, 5)
    assert [record.name for record in question.records] == ["b", "a"]
    assert question.everything == bitset([0, 1])


GOOD = {"id": "q1", "query": "Why?", "memories": ["one", "two"]}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([GOOD, '{"id": "q2", "query'], "questions.jsonl line 2 is not valid JSON"),
        ([GOOD, GOOD], "line 1 and .*line 2 have the same id 'q1'"),
        ([GOOD, {**GOOD, "id": "q2", "memories": []}], "line 2: there are no memories"),
        ([{"id": "q1", "query": "Why?"}], "line 1 has neither of memories and memories_file"),
        ([{**GOOD, "memories_file": "x.jsonl"}], "line 1 has both memories and memories_file"),
        ([{"id": "q1", "query": "Why?", "memories_file": "x.jsonl"}], "line 1: .*x.jsonl does not exist"),
        ([{**GOOD, "memorys": []}], "line 1 has the unknown key 'memorys'; did you mean memories?"),
        ([{**GOOD, "query": " "}], "line 1 has the query ' '; give a text"),
        ([{"query": "Why?", "memories": ["one"]}], "line 1 has the id None"),
        ([{**GOOD, "answers": ["YES"]}], "line 1 has the answers .*at least two different"),
        ([{**GOOD, "answers": ["YES", 3]}], "line 1 has the answers .*at least two different"),
        ([{**GOOD, "memories": ["one", " "]}], "line 1: memory 1 has an empty text"),
        ([{**GOOD, "memories": [{"id": 1, "text": "a"}, {"id": 1, "text": "b"}]}], "have the same id 1"),
        ([{**GOOD, "memories": [{"id": 1, "text": "a"}, {"id": "1", "text": "b"}]}], "ids that read alike"),
        ([{**GOOD, "memories": [{"text": "a", "cost": -1}]}], "has the cost -1; give a number above zero"),
        (["[1]"], "line 1 is of type list"),
        ([""], "holds no question"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, lines, sentence):
    with pytest.raises(InputError, match=sentence):
        read_questions(written(tmp_path, *lines), ["YES", "NO"])


def test_answers_that_nobody_gives_are_named(tmp_path):
    with pytest.raises(InputError, match="has no answers, and config key own_data/answers gives none"):
        read_questions(written(tmp_path, GOOD))


@pytest.mark.parametrize("method", ["exact_oracle", "cmi_all"])
def test_a_method_that_needs_the_truth_or_altered_records_is_refused(method):
    with pytest.raises(InputError, match=f"method {method} (needs|alters)"):
        own_methods([method])


def test_all_means_all_that_can_run():
    slugs = {method.slug for method in own_methods("all")}
    assert "jointcore_anchored" in slugs
    assert not slugs & {"exact_oracle", "cmi_all", "cmi_margin"}
