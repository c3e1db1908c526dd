"""Drop records from the front of an order until a needed one is at the border, keep it, go on behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jointcore.bitsets import bitset
from jointcore.selection.outlook import Outlook
from jointcore.selection.protocol import Memory, Probe, Search, Selection


def border_search(memory: Memory, order: Sequence[int], look: Callable[[tuple[int, ...]], Outlook], cap: int) -> Search:
    """Find the needed positions of an order one after another, each between two decided sets.

    A block that can go is dropped. Of a block that cannot, the border is found: the position up to which records can
    go and beyond which they cannot. Two decided sets that differ in the record there alone, one equal to the
    reference and one not, show that it is needed. The retained set only ever shrinks to one that was itself decided
    equal to the reference, whatever the decider; no set is decided twice, and full memory never. At most 2n
    evaluations.

    Args:
        memory: the task's memory.
        order: all ids in the order in which they are tried.
        look: what is believed about the next needed position, given those found.
        cap: evaluations at most; a search that has questions left then is "budget exhausted".
    """
    count = memory.count
    retained = memory.everything
    found: tuple[int, ...] = ()
    low = evaluations = 0
    while low < count:
        view = look(found)
        high = view.end
        while high - low > 1:  # the border is one of low … high - 1; count stands for "none"
            if evaluations == cap:
                return Selection(retained, budget_exhausted=True)
            # Beliefs that mislead must not cost much more than asking record by record.
            cut = view.cut(low, high) if evaluations < count else low + 1
            evaluations += 1
            block = bitset(order[low:cut])
            answer = yield Probe(retained & ~block, block)
            if answer.same:
                retained &= ~block
                low = cut
            else:
                high = cut
        found += (low,)
        low += 1
    return Selection(retained)
