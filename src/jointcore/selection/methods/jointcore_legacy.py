"""JointCore, legacy order: groups in ascending relevance."""

from __future__ import annotations

from jointcore.selection.group_deletion import group_deletion
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(name="JointCore (legacy order)", position=60, study=True, keeps_decision=True)
def jointcore_legacy(memory: Memory, *, cap: int) -> Search:
    """Group deletion over all records in ascending relevance (paper, ablation of the order)."""
    return group_deletion(memory, memory.by_ascending_relevance(), cap)
