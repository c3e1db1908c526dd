"""Anchored JointCore, checked: for judges whose errors are independent of each other."""

from __future__ import annotations

from jointcore.selection.checked_search import checked_search
from jointcore.selection.method import method
from jointcore.selection.methods.jointcore_anchored import deletion_order
from jointcore.selection.outlook import outlook
from jointcore.selection.protocol import Memory, Search


@method(
    name="Anchored JointCore, checked",
    position=112,
    keeps_decision=True,
    extension="this project's search with its result checked by questions of its own; not part of the published study",
)
def jointcore_checked(memory: Memory, *, budget: int, cap: int, empty_set_fails: bool) -> Search:
    """Anchored JointCore, and questions that check the set that it ends with; see
    :mod:`jointcore.selection.checked_search`. Where full memory's decision does not stand,
    full memory is kept and the selection says so.
    """

    def look(found: tuple[int, ...]):
        return outlook(memory.count, budget, empty_set_fails, found)

    irrelevant = memory.anchored_order(budget)[0]
    return checked_search(memory, deletion_order(memory, budget), look, cap, irrelevant, majority=False)
