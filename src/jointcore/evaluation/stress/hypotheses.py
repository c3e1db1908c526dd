"""What a condition may be, given what a search may see of it: the benchmark's own distribution over hidden rules.

A search may see the ranks of relevance and the costs. With relevance as generated, the support records of a task rank
above all others but the proxy, which ranks first, so the hidden rule speaks about the few most relevant records only:
what is unknown is the family, the support size, and which record plays which part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from jointcore.bitsets import bitset
from jointcore.logic.oracle import RULES
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.grid import Costs

#: Largest support for which every assignment of parts to ranks is listed.
LARGEST = 4


@dataclass(frozen=True)
class Hypothesis:
    """A hidden rule over ranks (0 is the most relevant record) and its probability.

    Attributes:
        minimal_sets: the minimal sufficient sets, as bitsets of ranks, ascending.
        probability: its posterior probability.
    """

    minimal_sets: tuple[int, ...]
    probability: float


def ranks_in_play(families: Sequence[str], support_sizes: Sequence[int], count: int) -> int:
    """How many of the most relevant of ``count`` records a hidden rule of these families can speak about."""
    return max(
        FAMILIES[family].support_count(count, size) + FAMILIES[family].proxy
        for family in families
        for size in support_sizes
    )


def hypotheses(
    costs_by_rank: Sequence[int], count: int, families: Sequence[str], support_sizes: Sequence[int], costs: Costs
) -> list[Hypothesis]:
    """The hidden rules that agree with the costs, with their posterior probabilities.

    The prior is the grid's: every family and support size alike; parts are dealt to support records at random.

    Args:
        costs_by_rank: costs of the most relevant records, most relevant first, as many as are in play.
        count: number of records, n.
        families: slugs of the grid's families.
        support_sizes: the grid's support sizes, at most :data:`LARGEST`.
        costs: the grid's cost ranges.

    Raises:
        ValueError: a support size is too large to list, or no rule agrees with the costs.
    """
    if max(support_sizes) > LARGEST:
        raise ValueError(
            f"the optimal strategy is computed for support sizes up to {LARGEST}, not {max(support_sizes)}"
        )
    weights: dict[tuple[int, ...], float] = {}
    for family in families:
        for size in support_sizes:
            likelihood = _likelihood(costs_by_rank, count, family, size, costs)
            for minimal_sets, share in _parts(family, FAMILIES[family].support_count(count, size)):
                if likelihood:
                    weights[minimal_sets] = weights.get(minimal_sets, 0.0) + likelihood * share
    total = sum(weights.values())
    if not total:
        raise ValueError(f"no rule of the grid agrees with the costs {list(costs_by_rank)}")
    return [Hypothesis(sets, weight / total) for sets, weight in sorted(weights.items())]


@lru_cache
def _parts(family: str, support_count: int) -> list[tuple[tuple[int, ...], float]]:
    """Each rule over ranks that a family can have, with its share of the assignments of ids to ranks."""
    first = int(FAMILIES[family].proxy)
    shares: dict[tuple[int, ...], int] = {}
    assignments = list(permutations(range(first, first + support_count)))
    for support in assignments:  # the ranks of the support records in ascending id
        minimal_sets = tuple(sorted(bitset(one) for one in RULES[family].minimal_sets(support)))
        shares[minimal_sets] = shares.get(minimal_sets, 0) + 1
    return [(sets, share / len(assignments)) for sets, share in shares.items()]


def _likelihood(costs_by_rank: Sequence[int], count: int, family: str, size: int, costs: Costs) -> float:
    """Probability of the costs in a task of that family and support size."""
    schema = FAMILIES[family]
    support_count = schema.support_count(count, size)
    rest = list(costs_by_rank)
    if schema.proxy and rest.pop(0) != costs.proxy:
        return 0.0
    support, distractors = rest[:support_count], rest[support_count:]
    low, high = costs.support
    if any(not low <= cost <= high for cost in support):
        return 0.0
    if schema.equal_costs:
        chance = (len(set(support)) == 1) / costs.support.width
    else:
        chance = (1 / costs.support.width) ** len(support)
    low, high = costs.distractor
    if any(not low <= cost <= high for cost in distractors):
        return 0.0
    return chance * (1 / costs.distractor.width) ** len(distractors)
