"""QuickXplain: the preferred minimal sufficient set by divide and conquer (Junker, AAAI 2004)."""

from __future__ import annotations

from collections.abc import Generator

from jointcore.bitsets import bitset
from jointcore.selection.decided import counted
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Probe, Search, Selection


@method(
    name="QuickXplain",
    position=120,
    keeps_decision=True,
    extension="QuickXplain (Junker 2004) on memory records, preferred in JointCore's order reversed",
)
def quickxplain(memory: Memory, *, budget: int) -> Search:
    """Split the records, find what the second half must add to the first, then what the first must add to that.

    Every call returns what, added to its background, was decided equal to the reference (or is all of memory), whatever
    the decider. That each record is needed follows only for a monotone one, and the empty set is never decided. At
    most 2n - 2 evaluations.
    """
    outside, anchors = memory.anchored_order(budget)
    return preferred_set(memory, (outside + anchors)[::-1])


def preferred_set(memory: Memory, preferred: list[int]) -> Search:
    """QuickXplain with the records in an order of falling preference."""
    selection, evaluations = yield from counted(_whole(memory, preferred))
    drops = ((evaluations - 1, memory.everything & ~selection.retained),) if evaluations else ()
    return selection._replace(drops=drops)


def _whole(memory: Memory, preferred: list[int]) -> Search:
    return Selection((yield from _needed(memory.everything, 0, 0, preferred)))


def _needed(everything: int, background: int, added: int, records: list[int]) -> Generator:
    """What of the records is needed beside the background, to which ``added`` was added last."""
    if added:
        answer = yield Probe(background, everything & ~background)
        if answer.same:
            return 0
    if len(records) <= 1:
        return bitset(records)
    half = len(records) // 2
    first, second = records[:half], records[half:]
    needed_second = yield from _needed(everything, background | bitset(first), bitset(first), second)
    needed_first = yield from _needed(everything, background | needed_second, needed_second, first)
    return needed_first | needed_second
