"""Screening of groups as in TracLLM."""

from __future__ import annotations

from jointcore.selection import group_attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Group screening (as TracLLM)",
    position=175,
    keeps_decision=True,
    costly=True,
    extension="after the informed search of TracLLM (Wang et al. 2025), scores of a group alone and of its absence; "
    "then the smallest prefix by weight that decides the same",
)
def group_screening(memory: Memory, *, empty_set_fails: bool) -> Search:
    """Up to ten groups a round, five go on, each in two halves; about 20 log2(n) + n evaluations."""
    return group_attribution.screening(memory, empty_set_fails)
