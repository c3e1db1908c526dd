"""The fewest evaluations possible: known small cases, an independent search, and what no method may beat."""

from functools import cache
from itertools import chain, combinations
from statistics import fmean

import pytest

from jointcore.bitsets import members
from jointcore.evaluation.exact import evaluate_task
from jointcore.evaluation.stress.hypotheses import Hypothesis, hypotheses, ranks_in_play
from jointcore.evaluation.stress.limits import certificate, limits_of, optimal_count
from jointcore.logic.oracle import oracle
from jointcore.selection.catalogue import all_methods
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Costs, Grid

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
GRID = Grid(candidate_counts=(8,), horizon_labels=(1,))


@pytest.fixture(scope="module")
def tasks():
    return list(generate_tasks(GRID))[::9]


def rules(*pairs):
    return tuple(Hypothesis(sets, probability) for sets, probability in pairs)


@pytest.mark.parametrize(
    ("possible", "certified", "uncertified"),
    [
        # One rule: nothing to find out, but its certificate.
        (rules(((0b11,), 1.0)), 3, 0),
        # Record 0 or record 1: one question tells; {0} decided "other" also shows that 1 is needed.
        (rules(((0b01,), 0.5), ((0b10,), 0.5)), 2, 1),
        # Either record will do: the cheaper one is known.
        (rules(((0b01, 0b10), 1.0)), 2, 0),
        # Record 0 alone, or both: ask for {0}. Then the empty set; or {1} and both, as {0} is known to fail.
        (rules(((0b01,), 0.5), ((0b11,), 0.5)), 2.5, 1),
    ],
)
def test_small_cases(possible, certified, uncertified):
    costs = (3, 4, 5)
    assert optimal_count(possible, costs, True, False) == pytest.approx(certified)
    assert optimal_count(possible, costs, False, False) == pytest.approx(uncertified)


def test_a_declared_empty_set_certifies_a_single_record():
    assert optimal_count(rules(((0b01,), 1.0)), (3, 4), True, True) == 1
    assert certificate(1, True) == 1
    assert certificate(1, False) == 2
    assert certificate(3, True) == certificate(3, False) == 4


def plain_search(possible, costs):
    """The same optimum without bounds, shared states or the argument that certificates can wait."""
    tests = range((1 << len(costs)) - 1)

    def passes(rule, test):
        return any(one & test == one for one in rule.minimal_sets)

    def answers(rule):
        cheapest = min(sum(costs[i] for i in members(one)) for one in rule.minimal_sets)
        return {one for one in rule.minimal_sets if sum(costs[i] for i in members(one)) == cheapest}

    def proven(answer, asked):
        return (answer, True) in asked and all(
            any(not same and t & answer & ~(1 << i) == answer & ~(1 << i) and not t >> i & 1 for t, same in asked)
            for i in members(answer)
        )

    @cache
    def value(left, asked):
        common = set.intersection(*(answers(possible[r]) for r in left))
        if any(proven(answer, asked) for answer in common):
            return 0.0
        best = float("inf")
        for test in tests:
            if any(test == t for t, _ in asked) or len(asked) == 4:
                continue
            yes = frozenset(r for r in left if passes(possible[r], test))
            total = sum(possible[r].probability for r in left)
            after = 1.0
            for part, same in ((yes, True), (left - yes, False)):
                if part:
                    after += sum(possible[r].probability for r in part) / total * value(part, asked | {(test, same)})
            best = min(best, after)
        return best

    return value(frozenset(range(len(possible))), frozenset())


@pytest.mark.parametrize(
    "possible",
    [
        rules(((0b001,), 0.5), ((0b010,), 0.2), ((0b011,), 0.3)),
        rules(((0b001, 0b010), 0.4), ((0b011,), 0.35), ((0b110,), 0.25)),
        rules(((0b001, 0b110), 0.5), ((0b100,), 0.5)),
    ],
)
def test_against_a_plain_search(possible):
    costs = (3, 4, 2)
    assert optimal_count(possible, costs, True, False) == pytest.approx(plain_search(possible, costs))


def test_the_true_rule_is_always_possible(tasks):
    for task in tasks:
        memory = task.question.memory
        ranks = ranks_in_play(GRID.families, GRID.support_sizes, memory.count)
        assert ranks == 5
        order = memory.most_relevant(ranks)
        seen = tuple(memory.costs[i] for i in order)
        possible = hypotheses(seen, memory.count, GRID.families, GRID.support_sizes, GRID.costs)
        assert sum(h.probability for h in possible) == pytest.approx(1)
        sufficient = oracle(task.family, task.support, memory.costs).sufficient
        subsets = chain.from_iterable(combinations(range(ranks), k) for k in range(ranks + 1))
        truth = {s: sufficient(sum(1 << order[rank] for rank in s)) for s in subsets}
        agreeing = [
            h
            for h in possible
            if all(any(set(members(one)) <= set(s) for one in h.minimal_sets) == told for s, told in truth.items())
        ]
        assert len(agreeing) == 1


def test_the_posterior_follows_bayes_rule():
    """Two records in play, costs 9 and 12: only a singleton rule fits, as no support record costs 12."""
    grid = Grid(families=("single_variable", "synergy_and"), support_sizes=(2,))
    (only,) = hypotheses((9, 12), 8, grid.families, grid.support_sizes, Costs())
    assert only == Hypothesis((0b01,), 1.0)
    both = {h.minimal_sets: h.probability for h in hypotheses((9, 9), 8, grid.families, grid.support_sizes, Costs())}
    assert both[(0b01,)] == pytest.approx(1 / 12 / (1 / 12 + 1 / 7))
    with pytest.raises(ValueError, match="no rule of the grid agrees"):
        hypotheses((1, 1), 8, grid.families, grid.support_sizes, Costs())
    with pytest.raises(ValueError, match="support sizes up to 4, not 8"):
        hypotheses((5,) * 8, 16, ["synergy_and"], [8], Costs())


def test_no_certified_search_beats_the_limits(tasks):
    limits = list(limits_of(tasks, GRID, False))
    assert {one["certificate"] for one in limits} == {2, 3, 5}
    assert fmean(one["optimal_uncertified"] for one in limits) < fmean(one["optimal"] for one in limits)
    for method in all_methods():
        if method.costly or not method.keeps_decision or not method.uses:
            continue
        outcomes = [evaluate_task(method, task, SETTINGS) for task in tasks]
        for outcome, one in zip(outcomes, limits, strict=True):
            if outcome.measures.valid_minimum_set:
                assert outcome.trace.evaluations >= one["certificate"] or method.slug == "quickxplain"
        if all(outcome.measures.valid_minimum_set for outcome in outcomes):
            assert fmean(o.trace.evaluations for o in outcomes) > fmean(one["optimal"] for one in limits)


def test_large_supports_have_a_certificate_only():
    grid = Grid(domains=("orders",), candidate_counts=(16,), support_sizes=(8,), horizon_labels=(1,), seed_blocks=(0,))
    rows = list(limits_of(generate_tasks(grid), grid, False))
    assert [row["optimal"] for row in rows] == [None] * len(FAMILIES)
    assert max(row["certificate"] for row in rows) == 9
