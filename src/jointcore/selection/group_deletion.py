"""JointCore's search: joint deletion of groups, halved while a group is necessary (paper, algorithm 1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from jointcore.bitsets import bitset
from jointcore.selection.protocol import Memory, Probe, Search, Selection


def group_deletion(memory: Memory, order: Sequence[int], cap: int) -> Search:
    """Delete groups of records as long as the decision stays the reference.

    The queue holds first the whole order. A group whose absence changes nothing is dropped;
    otherwise its two halves go to the end of the queue, and a lone record stays.

    Args:
        memory: the task's memory.
        order: all ids in the order in which they are halved.
        cap: evaluations at most; a search that has groups left then is "budget exhausted".
    """
    retained = memory.everything
    queue = deque([tuple(order)])
    evaluations = 0
    while queue:
        group = queue.popleft()
        tested = bitset(group) & retained
        if not tested:
            continue
        if evaluations == cap:
            return Selection(retained, budget_exhausted=True)
        evaluations += 1
        answer = yield Probe(retained & ~tested, tested)
        if answer.same:
            retained &= ~tested
        elif len(group) > 1:
            half = len(group) // 2
            queue.append(group[:half])
            queue.append(group[half:])
    return Selection(retained)
