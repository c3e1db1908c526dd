"""Anchored JointCore: find the border of what can go, the most open question first."""

from __future__ import annotations

from jointcore.selection.border_search import border_search
from jointcore.selection.method import method
from jointcore.selection.outlook import outlook
from jointcore.selection.protocol import Memory, Search


@method(
    name="Anchored JointCore",
    position=110,
    keeps_decision=True,
    extension="this project's search; not part of the published study",
)
def jointcore_anchored(memory: Memory, *, budget: int, cap: int, empty_set_fails: bool) -> Search:
    """Search for the border of what can go, see :func:`jointcore.selection.border_search.border_search`, in one order:
    outside the 2B most relevant, dearest first; the next B, least relevant first; the B most relevant, dearest first.

    ``empty_set_fails`` declares that the empty set does not keep the decision, which saves deciding it. Rationale,
    bounds and figures: ``docs/searches.md``.
    """

    def look(found: tuple[int, ...]):
        return outlook(memory.count, budget, empty_set_fails, found)

    return border_search(memory, deletion_order(memory, budget), look, cap)


def deletion_order(memory: Memory, budget: int) -> list[int]:
    """All ids in the order in which they are tried: far, near, anchors."""
    outside, anchors = memory.anchored_order(budget)
    near = max(0, len(outside) - budget)
    return memory.by_descending_cost(outside[:near]) + outside[near:] + anchors
