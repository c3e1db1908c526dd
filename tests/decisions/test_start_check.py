"""Scores of the first prompts in company and alone."""

import dataclasses

import pytest

from decisions.questions import make_task
from jointcore.bitsets import full
from jointcore.decisions.protocol import Query
from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.decisions.transformers.start_check import AFTER, CHECKED, StartCheck
from jointcore.errors import InputError


def asked(count, start=0):
    return [ScoringRequest((number,), ((1,), (2,))) for number in range(start, start + count)]


def scores(request, moved=0.0):
    """Scores whose margin grows with the prompt's number."""
    return ScoringResult((-1.0 - 0.1 * (1 + request.token_ids[0]) + moved, -1.0))


def in_company(requests, moved=0.0):
    return [scores(request, moved) for request in requests]


def test_it_looks_at_the_first_prompts_and_once_more():
    alone = []
    check = StartCheck("small", lambda request: alone.append(request.token_ids[0]) or scores(request))
    for start in range(0, 200, 2):
        check.see(asked(2, start), in_company(asked(2, start)))
        if start < CHECKED - 2:
            assert check.facts is None
    assert len(alone) == len(AFTER) * CHECKED
    assert alone[:CHECKED] == [0, 1, 2, 3]
    assert all(CHECKED <= number < AFTER[-1] for number in alone[CHECKED:])
    assert check.facts["prompts"] == len(alone)
    assert check.facts["largest_score_difference"] == 0
    assert check.facts["smallest_margin"] == pytest.approx(0.1)


def test_one_large_call_is_checked_once_over_its_length():
    alone = []
    check = StartCheck("small", lambda request: alone.append(request.token_ids[0]) or scores(request))
    check.see(asked(400), in_company(asked(400)))
    assert alone == [50, 150, 250, 350]
    check.see(asked(400), in_company(asked(400)))
    assert len(alone) == CHECKED


@pytest.mark.parametrize(("moved", "fails"), [(0.04, False), (-0.04, False), (0.051, True), (-0.051, True)])
def test_it_fails_where_a_decision_could_flip(moved, fails):
    check = StartCheck("small", lambda request: scores(request, moved))
    if not fails:
        check.see(asked(4), in_company(asked(4)))
        assert check.facts["largest_score_difference"] == pytest.approx(abs(moved))
        return
    with pytest.raises(InputError, match=r"model small: .* by up to 0.051 .* 4 prompts is 0.1, .* set mode to det"):
        check.see(asked(4), in_company(asked(4)))


def test_where_scores_are_promised_bitwise_the_last_bit_counts():
    StartCheck("small", lambda r: scores(r, 0.2), scores).see(asked(4), in_company(asked(4)))
    check = StartCheck("small", scores, lambda request: scores(request, 1e-15))
    with pytest.raises(InputError, match="differ alone and in company on this machine; set mode to deterministic"):
        check.see(asked(4), in_company(asked(4)))


def test_invalid_answers_are_not_checked():
    check = StartCheck("small", scores)
    check.see(asked(9), [ScoringResult(None, "too long")] * 9)
    assert check.facts is None


def test_the_fast_mode_makes_it_and_the_deterministic_one_needs_none(tiny, terse_template):
    queries = [Query(make_task("threshold", 4).question, full(16) ^ 1 << i) for i in range(12)]
    for mode, prompts in (("fast", CHECKED), ("deterministic", None)):
        scorer = TransformersScorer(dataclasses.replace(tiny, mode=mode))
        scorer.score([scorer.encode(terse_template.render(query)) for query in queries])
        facts = scorer.facts()["start_check"]
        assert (facts and facts["prompts"]) == prompts
