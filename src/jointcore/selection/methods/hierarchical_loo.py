"""Leave-one-out from groups down to records."""

from __future__ import annotations

from jointcore.selection import group_attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Hierarchical leave-one-out",
    position=174,
    keeps_decision=True,
    costly=True,
    extension="hierarchical attribution of AttriBoT (Liu et al. 2024) with margins of decisions; "
    "then the smallest prefix by weight that decides the same",
)
def hierarchical_loo(memory: Memory, *, empty_set_fails: bool) -> Search:
    """Groups first, then the records of those that are missed most; at most 3n evaluations."""
    return group_attribution.hierarchical_leave_one_out(memory, empty_set_fails)
