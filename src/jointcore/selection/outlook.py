"""Which block Anchored JointCore tries next: the one whose outcome is most open under its prior beliefs.

The order of deletion has three bands: *far* from the top, the B *near* records that follow the B most relevant, and
these, the *anchors*. The beliefs are about positions of that order, so that the tasks of a grid share their outlooks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jointcore.selection.beliefs import Belief, FixedNumber, Independent, Mixture, SomeBefore

_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Trust:
    """How far relevance is trusted, before anything is asked.

    The defaults were chosen by measurement (``docs/searches.md``): few evaluations where relevance is right, whatever
    n, and no more than QuickXplain's where it is wrong. They decide which questions are asked, never what an
    answer means.

    Attributes:
        outside: chance that some needed record is not among the anchors. The first question leaves out the dearest
            anchor too as long as ``(1 - outside) (1 - dearest) > outside``.
        slightly: if so, chance that relevance is right but for a record or so just below the anchors: the d-th record
            below them is needed with chance ``just_below / d**4``.
        just_below: see ``slightly``.
        many: if so, chance that about ``many_needed`` records are needed, wherever they are.
        many_needed: see ``many``.
        few: else relevance says little. Pairs (number of needed records, slope), all numbers equally likely: a
            record's odds fall with its rank to the power of the slope. With fewer needed there are more often
            substitutes, of which the most relevant one is kept.
        dearest: chance that the dearest anchor is needed, which is tried while all its substitutes are there.
        cheapest: the same of the cheapest anchor, tried when none is; in between the chance rises evenly.
        nothing: chance, relative to the rest, that nothing at all is needed.
    """

    outside: float = 0.36
    slightly: float = 0.12
    just_below: float = 0.3
    many: float = 0.01
    many_needed: float = 8.0
    few: tuple[tuple[int, float], ...] = ((1, 0.5), (2, 0.3), (4, 0.1))
    dearest: float = 0.4
    cheapest: float = 0.6
    nothing: float = 0.02


DEFAULT = Trust()


class Outlook:
    """What is believed about the next needed position, given those found so far.

    Args:
        mixture: the beliefs.
        count: number of records, n.
        nothing: chance, relative to the rest, that nothing is needed at all; 0 if the empty set is declared to fail.
    """

    def __init__(self, mixture: Mixture, count: int, nothing: float) -> None:
        self.mixture = mixture
        self._start = mixture.start
        self._chance = [*mixture.border(), 0.0]
        first = mixture.found == 0
        if first:
            self._chance[-2] *= nothing
        #: One more than the last candidate for the border; n itself stands for "nothing more is needed".
        self.end = count if first and nothing == 0 else count + 1

    def cut(self, low: int, high: int) -> int:
        """Where to cut the candidates ``low … high - 1`` for the border, at least two, most evenly.

        Returns:
            c in ``low + 1 … high - 1``: the block up to position c - 1 is to be tried.
        """
        chance, start = self._chance, self._start
        half = (chance[low - start] + chance[high - start]) / 2
        first, last = low + 1, high - 1
        while first < last:
            middle = (first + last) // 2
            if chance[middle - start] <= half:
                last = middle
            else:
                first = middle + 1
        before = first - 1
        if before > low and chance[before - start] - half <= half - chance[first - start] + _EQUAL:
            return before
        return first


@lru_cache(maxsize=2048)
def outlook(count: int, budget: int, declared: bool, found: tuple[int, ...], trust: Trust = DEFAULT) -> Outlook:
    """The outlook after some needed positions were found.

    Args:
        count: number of records, n.
        budget: number of anchors, B.
        declared: the empty set is declared to fail.
        found: the needed positions found so far, ascending.
        trust: how far relevance is trusted.
    """
    nothing = 0.0 if declared else trust.nothing
    if not found:
        return Outlook(prior(count, budget, trust), count, nothing)
    before = outlook(count, budget, declared, found[:-1], trust)
    return Outlook(before.mixture.after(found[-1]), count, nothing)


def prior(count: int, budget: int, trust: Trust = DEFAULT) -> Mixture:
    """The beliefs before the first evaluation, for the order far, near, anchors."""
    anchors = min(budget, count)
    outside = count - anchors
    rise = (trust.cheapest - trust.dearest) / max(1, anchors - 1)
    needed_anchors = [trust.cheapest - rise * (anchors - 1 - j) for j in range(anchors)]
    beliefs: list[Belief] = [Independent([0.0] * outside + needed_anchors)]
    weights = [1 - trust.outside]
    if outside:
        just_outside = [trust.just_below / (outside - j) ** 4 for j in range(outside)]
        few = [FixedNumber(size, _odds(count, budget, slope)) for size, slope in trust.few if size <= count]
        wrong = [
            Independent(just_outside + needed_anchors),
            Independent([min(0.5, trust.many_needed / count)] * count),
            *few,
        ]
        beliefs += [SomeBefore(belief, outside) for belief in wrong]
        rest = (1 - trust.slightly - trust.many) / len(few)
        weights += [trust.outside * weight for weight in (trust.slightly, trust.many, *[rest] * len(few))]
    return Mixture(beliefs, weights)


def _odds(count: int, budget: int, slope: float) -> list[float]:
    """Odds by position: they fall with the rank; the far records, which are not ordered by it, share their mean."""
    by_rank = [rank**-slope for rank in range(1, count + 1)]
    anchors, near, far = by_rank[:budget], by_rank[budget : 2 * budget], by_rank[2 * budget :]
    return [sum(far) / len(far)] * len(far) + near[::-1] + anchors if far else near[::-1] + anchors
