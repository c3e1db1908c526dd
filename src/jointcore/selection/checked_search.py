"""A border search that checks what it found, for judges whose errors are independent of each other.

One wrong "same" drops a needed record, and every later question is asked without it. So the set that the search ends
with is asked about again, padded with one dropped record at a time: another question with, if the set is right, the
same answer. A set stands when its answers "same" lead by two, and falls when its answers "other" lead by one. When it
falls, the last of the accepted sets that stands is found by bisection, and the search goes on from there inside the
block that was wrongly dropped.

The reference may err too: then nothing seems to be needed at all, or the first record that is tried. Where that shows,
full memory is asked about again without one irrelevant record at a time. A reference that falls is no ground to drop
anything on: full memory is kept and that is said or, as a setting, the other decision is taken as the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

from jointcore.bitsets import bitset
from jointcore.selection.outlook import Outlook
from jointcore.selection.protocol import Answer, Memory, Probe, Search, Selection

#: What a selection says whose reference flips when an irrelevant record goes.
UNSTABLE = "reference unstable"
#: By how many answers a set leads when it stands, and by how many it trails when it falls.
STANDS, FALLS = 2, -1

Ask = Generator[Probe, Answer, bool]
Steps = Generator[Probe, Answer, None]


def checked_search(
    memory: Memory,
    order: Sequence[int],
    look: Callable[[tuple[int, ...]], Outlook],
    cap: int,
    irrelevant: Sequence[int],
    majority: bool,
) -> Search:
    """Find a set that stands, see the module.

    Args:
        memory: the task's memory.
        order: all ids in the order in which they are tried.
        look: what is believed about the next needed position, given those found.
        cap: evaluations at most; a search that has questions left then is "budget exhausted".
        irrelevant: records without which the reference is asked about again, in that order.
        majority: take the other decision as the reference where the reference falls, instead of keeping everything.
    """
    run = _Checked(memory, order, look, cap, irrelevant)
    while True:
        try:
            yield from run.descend()
            if (yield from run.settle()):
                return run.selection()
        except _Fallen:
            if not majority:
                return run.selection()
            run.flipped = True
        except _Capped:
            return run.selection(budget_exhausted=True)


@dataclass(frozen=True, slots=True)
class _Accepted:
    """A set that was decided the same: where the search was then, and the block whose going led to it."""

    retained: int
    low: int
    found: tuple[int, ...]
    block: int
    evaluation: int


class _Capped(Exception):
    """The search has asked as often as it may."""


class _Fallen(Exception):
    """The reference does not stand."""


class _Checked:
    def __init__(
        self,
        memory: Memory,
        order: Sequence[int],
        look: Callable[[tuple[int, ...]], Outlook],
        cap: int,
        irrelevant: Sequence[int],
    ) -> None:
        self._memory = memory
        self._order = order
        self._look = look
        self._cap = cap
        self._irrelevant = irrelevant
        self._answers: dict[int, tuple[bool, int]] = {}
        self._fell: set[int] = set()
        self._chain = [_Accepted(memory.everything, 0, (), 0, -1)]
        self._note = ""
        self._doubted = False
        self.flipped = False

    def descend(self) -> Steps:
        """Search on from the last accepted set to the end of the order."""
        last = self._chain[-1]
        retained, low, found = last.retained, last.low, last.found
        while low < self._memory.count:
            view = self._look(found)
            high = view.end
            while high - low > 1:
                # Beliefs that mislead must not cost much more than asking record by record.
                cut = view.cut(low, high) if len(self._answers) < self._memory.count else low + 1
                block = bitset(self._order[low:cut])
                smaller = retained & ~block
                if smaller not in self._fell and (yield from self._ask(smaller, block)):
                    retained, low = smaller, cut
                    self._chain.append(_Accepted(retained, low, found, block, self._answers[smaller][1]))
                else:
                    high = cut
            found += (low,)
            low += 1
            if found == (0,):
                yield from self._doubt()

    def settle(self) -> Ask:
        """Whether the last accepted set stands; if not, it and what is beyond the last that stands are given up."""
        if len(self._chain) == 1:
            return True
        if (yield from self._stands(self._chain[-1].retained)):
            if not self._chain[-1].retained:
                yield from self._doubt()
            return True
        low, high = 0, len(self._chain) - 1  # full memory is the reference, the last set fell
        while high - low > 1:
            middle = (low + high) // 2
            if (yield from self._stands(self._chain[middle].retained)):
                low = middle
            else:
                high = middle
        self._fell.add(self._chain[high].retained)
        del self._chain[low + 1 :]
        return False

    def selection(self, *, budget_exhausted: bool = False) -> Selection:
        """The last accepted set, and after which evaluation each block went."""
        drops = tuple((step.evaluation, step.block) for step in self._chain[1:])
        return Selection(self._chain[-1].retained, budget_exhausted, drops, self._note)

    def _ask(self, retained: int, group: int) -> Ask:
        """The decision on a set; asks if it is not known."""
        if retained not in self._answers:
            if len(self._answers) == self._cap:
                raise _Capped
            same = (yield Probe(retained, group)).same
            self._answers[retained] = same, len(self._answers)
        return self._answers[retained][0] != self.flipped

    def _stands(self, retained: int) -> Ask:
        """Whether a set that was decided the same stands, padded with the least relevant dropped records."""
        everything = self._memory.everything
        padded = (retained | 1 << extra for extra in self._memory.by_ascending_relevance() if not retained >> extra & 1)
        return (yield from self._leads(one for one in padded if one != everything and one not in self._answers))

    def _doubt(self) -> Steps:
        """See once whether the reference stands, without one irrelevant record at a time.

        Raises:
            _Fallen: it does not.
        """
        if self._doubted:
            return
        self._doubted = True
        everything = self._memory.everything
        if not (yield from self._leads(everything & ~(1 << gone) for gone in self._irrelevant)):
            self._note = UNSTABLE
            self._fell.clear()
            del self._chain[1:]
            raise _Fallen

    def _leads(self, sets: Iterable[int]) -> Ask:
        """Whether answers "same" on these sets, with one that is known, lead by two before they trail by one."""
        lead = 1
        for retained in sets:
            lead += 1 if (yield from self._ask(retained, 0)) else -1
            if lead in (STANDS, FALLS):
                break
        return lead > FALLS
