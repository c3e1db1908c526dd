"""Shapley values over 25 random orders of the records."""

from __future__ import annotations

from jointcore.selection import attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Sampled Shapley (25)",
    position=173,
    keeps_decision=True,
    costly=True,
    extension="Shapley values over 25 random orders (Castro et al. 2009); "
    "then the smallest prefix by weight that decides the same",
)
def sampled_shapley(memory: Memory, *, empty_set_fails: bool) -> Search:
    """The margin's gain at each record, mean over 25 orders; at most 26n + 1 evaluations."""
    return attribution.sampled_shapley(memory, 25, empty_set_fails)
