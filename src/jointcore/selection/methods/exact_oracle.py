"""Exact oracle: the best that any search could select."""

from __future__ import annotations

from collections.abc import Sequence

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection


@method(name="Exact oracle", position=80, study=True)
def exact_oracle(memory: Memory, *, minimum_cost_sets: Sequence[int]) -> Search:
    """The first minimum-cost set in lexicographic order; it knows the rule and evaluates nothing (paper, baselines)."""
    return Selection(minimum_cost_sets[0])
    yield  # makes this a generator: a search that asks nothing
