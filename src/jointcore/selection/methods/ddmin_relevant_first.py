"""ddmin in the order that suits it best."""

from __future__ import annotations

from jointcore.selection.delta_debugging import ddmin
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="ddmin (relevant first)",
    position=131,
    keeps_decision=True,
    extension="delta debugging (Zeller and Hildebrandt 2002) on memory records, JointCore's order reversed",
)
def ddmin_relevant_first(memory: Memory, *, budget: int) -> Search:
    """Delta debugging with the records in JointCore's order reversed, so that the first part, which it tries to reduce
    to, holds the most relevant."""
    outside, anchors = memory.anchored_order(budget)
    return ddmin(memory, (outside + anchors)[::-1])
