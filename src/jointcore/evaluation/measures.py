"""Measures of a selected set against the oracle (paper, section on measures)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jointcore.bitsets import members
from jointcore.logic.oracle import Oracle


class SetMeasures(NamedTuple):
    """How good a selected set is; what needs a truth is ``None`` without one.

    Attributes:
        exact_sufficiency: the rule is satisfied by the set.
        valid_minimum_set: the set is one of the minimum-cost sets (minimum-cost recovery).
        critical_recall: share of the critical records that the set holds.
        active_token_savings: share of the payload cost that is left out; ``None`` for a memory without cost.
        cost_gap: excess cost over the oracle's, as a share of it; ``None`` where the set is not sufficient.
    """

    exact_sufficiency: bool | None
    valid_minimum_set: bool | None
    critical_recall: float | None
    active_token_savings: float | None
    cost_gap: float | None


def measure_set(retained: int, costs: Sequence[int], truth: Oracle | None) -> SetMeasures:
    """The measures of a selected set (a bitset), given every record's payload cost by id."""
    full_cost = sum(costs)
    cost = sum(map(costs.__getitem__, members(retained)))
    savings = (full_cost - cost) / full_cost if full_cost else None
    if truth is None:
        return SetMeasures(None, None, None, savings, None)
    sufficient = truth.sufficient(retained)
    minimum = truth.minimum_cost
    recall = (retained & truth.critical).bit_count() / truth.critical.bit_count()
    gap = (cost - minimum) / minimum if sufficient else None
    return SetMeasures(sufficient, retained in truth.minimum_cost_sets, recall, savings, gap)
