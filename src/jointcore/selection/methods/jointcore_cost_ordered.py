"""JointCore: group deletion in the cost-aware order."""

from __future__ import annotations

from jointcore.selection.group_deletion import group_deletion
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(name="JointCore", position=70, study=True, keeps_decision=True)
def jointcore_cost_ordered(memory: Memory, *, budget: int, cap: int) -> Search:
    """Group deletion: first what is outside the ``budget`` most relevant, least relevant first; then
    the most relevant, dearest first (paper, algorithm 1)."""
    outside, anchors = memory.anchored_order(budget)
    return group_deletion(memory, outside + anchors, cap)
