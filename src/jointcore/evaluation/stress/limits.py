"""How few evaluations are possible: the certificate, and the optimal adaptive strategy where it can be computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from jointcore.bitsets import full, members
from jointcore.evaluation.stress.hypotheses import LARGEST, Hypothesis, hypotheses, ranks_in_play
from jointcore.logic.oracle import truth_of
from jointcore.tasks.grid import Grid
from jointcore.tasks.task import Task


class Limits(NamedTuple):
    """Lower bounds of one condition.

    Attributes:
        certificate: what it takes to show a minimum-cost set S sufficient and each of its records necessary: S itself
            must be decided, and for each record a set without it, which can speak for no other record: |S| + 1. One
            less for a single record if the empty set is declared to fail.
        optimal: expected number of decisions of the best adaptive strategy that sees ranks of relevance and costs,
            knows the distribution of the benchmark's rules, and always ends with a minimum-cost set and its
            certificate. The expectation is over the rules that agree with what is seen.
            ``None`` where the support is too large to list every rule.
        optimal_uncertified: the same without a certificate: it ends as soon as only one answer is possible.
    """

    certificate: int
    optimal: float | None
    optimal_uncertified: float | None


def certificate(size: int, empty_set_fails: bool) -> int:
    """Decisions that certify a minimal set of that size."""
    return size + 1 - (empty_set_fails and size == 1)


def limits_of(tasks: Iterable[Task], grid: Grid, empty_set_fails: bool) -> Iterator[dict[str, Any]]:
    """The limits of tasks whose relevance is as generated, a row a task.

    Args:
        tasks: tasks of the grid.
        grid: the grid that they come from, whose distribution a strategy may know.
        empty_set_fails: the empty set is declared to fail.
    """
    best = lru_cache(maxsize=None)(_optimal)
    for task in tasks:
        memory, truth = task.question.memory, truth_of(task.question)
        size = min(one.bit_count() for one in truth.minimum_cost_sets)
        ranks = ranks_in_play(grid.families, grid.support_sizes, memory.count)
        seen = tuple(memory.costs[i] for i in memory.most_relevant(ranks))
        limits = Limits(certificate(size, empty_set_fails), *best(seen, memory.count, grid, empty_set_fails))
        yield {
            "paper_task_id": task.question.id,
            "family": task.family,
            "candidate_count": task.candidate_count,
            "support_size": task.cell.support_size,
            **limits._asdict(),
        }


def _optimal(seen: tuple[int, ...], count: int, grid: Grid, empty_set_fails: bool) -> tuple[float | None, float | None]:
    """The optimal strategy's expected counts with and without a certificate, given the costs by rank."""
    if max(grid.support_sizes) > LARGEST:
        return None, None
    rules = hypotheses(seen, count, grid.families, grid.support_sizes, grid.costs)
    return (
        optimal_count(rules, seen, True, empty_set_fails),
        optimal_count(rules, seen, False, empty_set_fails),
    )


def optimal_count(
    rules: Sequence[Hypothesis], costs_by_rank: Sequence[int], certified: bool, empty_set_fails: bool
) -> float:
    """Expected decisions of the best adaptive strategy, by exhaustive search with bounds.

    Args:
        rules: the hidden rules that are possible, with their probabilities.
        costs_by_rank: costs of the records that they speak about.
        certified: the strategy also has to certify its answer.
        empty_set_fails: the empty set is known to fail.
    """
    return _Strategy(rules, costs_by_rank, certified, empty_set_fails).expected()


class _Strategy:
    """Dynamic programming over what is known: the rules left, and the parts of certificates in hand."""

    def __init__(
        self, rules: Sequence[Hypothesis], costs: Sequence[int], certified: bool, empty_set_fails: bool
    ) -> None:
        self._weights = [rule.probability for rule in rules]
        self._certified = certified
        self._empty_set_fails = empty_set_fails
        self._answers = [_cheapest(rule.minimal_sets, costs) for rule in rules]
        tests = range(full(len(costs)))  # all sets but full memory, whose decision is known
        passed = [
            sum(1 << r for r, rule in enumerate(rules) if any(s & t == s for s in rule.minimal_sets)) for t in tests
        ]
        self._tests = list(zip(tests, passed, strict=True))
        self._known: dict[tuple, float] = {}

    def expected(self) -> float:
        """Expected number of decisions from the start."""
        return self._value(
            full(len(self._weights)), frozenset(), frozenset([0]) if self._empty_set_fails else frozenset()
        )

    def _value(self, left: int, same: frozenset[int], other: frozenset[int]) -> float:
        """Expected decisions to come.

        Args:
            left: the rules that are still possible.
            same, other: the sets that were decided equal to the reference, and not.
        """
        possible = [self._answers[r] for r in members(left)]
        needed = {s: self._missing(s, same, other) for s in set().union(*possible)}
        key = (left, tuple(sorted(needed.items())))
        if key in self._known:
            return self._known[key]
        common = set.intersection(*map(set, possible))
        value = min((count for s, (count, _) in needed.items() if s in common), default=float("inf"))
        for test, passed in self._tests:
            yes, no = left & passed, left & ~passed
            if not (yes and no):
                continue  # asks for what is known; a certificate can wait
            chance = self._chance(yes) / self._chance(left)
            after = ((yes, same | {test}, other, chance), (no, same, other | {test}, 1 - chance))
            if 1 + sum(p * self._bound(*state) for *state, p in after) < value:
                value = min(value, 1 + sum(p * self._value(*state) for *state, p in after))
        self._known[key] = value
        return value

    def _chance(self, rules: int) -> float:
        return sum(self._weights[r] for r in members(rules))

    def _bound(self, left: int, same: frozenset[int], other: frozenset[int]) -> float:
        """No strategy needs fewer: each decision adds at most one part to the certificate of an answer."""
        total = sum(
            self._weights[r] * min(self._missing(s, same, other)[0] for s in self._answers[r]) for r in members(left)
        )
        return total / self._chance(left)

    def _missing(self, answer: int, same: frozenset[int], other: frozenset[int]) -> tuple[int, tuple[bool, ...]]:
        """How many parts of an answer's certificate are missing, and which are there."""
        if not self._certified:
            return 0, ()
        parts = [answer in same]
        for record in members(answer):
            rest = answer & ~(1 << record)
            parts.append(any(t & rest == rest and not t >> record & 1 for t in other))
        return len(parts) - sum(parts), tuple(parts)


def _cheapest(minimal_sets: Sequence[int], costs: Sequence[int]) -> tuple[int, ...]:
    """The minimum-cost sets among the minimal ones."""
    priced = {one: sum(costs[rank] for rank in members(one)) for one in minimal_sets}
    return tuple(one for one, cost in priced.items() if cost == min(priced.values()))
