"""ddmin in JointCore's order."""

from __future__ import annotations

from jointcore.selection.delta_debugging import ddmin as search
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="ddmin",
    position=130,
    keeps_decision=True,
    extension="delta debugging (Zeller and Hildebrandt 2002) on memory records in JointCore's order",
)
def ddmin(memory: Memory, *, budget: int) -> Search:
    """Delta debugging with the records in JointCore's order: the least relevant first. See ``docs/searches.md``."""
    outside, anchors = memory.anchored_order(budget)
    return search(memory, outside + anchors)
