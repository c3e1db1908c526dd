"""Where in an order of deletion the needed records may lie: beliefs that only steer which block is tried next.

A belief is a probability distribution over which positions of the order are *needed*, that is, cannot be dropped when
their turn comes. A wrong belief costs evaluations and never correctness: see
:mod:`jointcore.selection.methods.jointcore_anchored`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Belief(Protocol):
    """A distribution over the needed positions 0 … n - 1."""

    def clear(self, start: int, found: int) -> list[float]:
        """Chance that no position of ``start … c - 1`` is needed, for c = start … n.

        Args:
            start: the positions before it are settled.
            found: how many of those are needed.
        """
        ...

    def needed(self, position: int, found: int) -> float:
        """Chance that a position is needed when all before it are settled and ``found`` of them are needed."""
        ...


class Independent:
    """Each position is needed with its own chance, whatever the others are.

    Args:
        chances: the chance of each position.
    """

    def __init__(self, chances: Sequence[float]) -> None:
        self._chances = chances

    def clear(self, start: int, found: int) -> list[float]:
        """See :class:`Belief`."""
        chance, result = 1.0, [1.0]
        for position in range(start, len(self._chances)):
            chance *= 1 - self._chances[position]
            result.append(chance)
        return result

    def needed(self, position: int, found: int) -> float:
        """See :class:`Belief`."""
        return self._chances[position]


class FixedNumber:
    """Exactly so many positions are needed; a set of that size is as likely as the product of its members' odds.

    (The conditional Bernoulli distribution; with equal odds every set is equally likely.)

    Args:
        number: how many are needed, at most the number of positions.
        odds: the odds of each position, positive.
    """

    def __init__(self, number: int, odds: Sequence[float]) -> None:
        self._number = number
        self._odds = odds
        # _sums[i][k]: sum, over the sets of k positions from i on, of the product of their odds.
        sums = [[1.0] + [0.0] * number]
        for odd in reversed(odds):
            after = sums[-1]
            sums.append([1.0] + [after[k] + odd * after[k - 1] for k in range(1, number + 1)])
        self._sums = sums[::-1]

    def clear(self, start: int, found: int) -> list[float]:
        """See :class:`Belief`."""
        left = self._number - found
        if left < 0 or self._sums[start][left] == 0:
            return [0.0] * (len(self._odds) - start + 1)
        return [row[left] / self._sums[start][left] for row in self._sums[start:]]

    def needed(self, position: int, found: int) -> float:
        """See :class:`Belief`."""
        left = self._number - found
        if left < 1 or self._sums[position][left] == 0:
            return 0.0
        return self._odds[position] * self._sums[position + 1][left - 1] / self._sums[position][left]


class SomeBefore:
    """A belief, given that some position before a limit is needed.

    Args:
        belief: the belief.
        limit: one more than the last position of which one is needed at least.

    Raises:
        ValueError: the belief rules that out.
    """

    def __init__(self, belief: Belief, limit: int) -> None:
        self._belief = belief
        clear = belief.clear(0, 0)
        if clear[limit] == 1:
            raise ValueError(f"the belief says that no position before {limit} is needed")
        self._clear = [(chance - clear[limit]) / (1 - clear[limit]) for chance in clear[:limit]]
        self._clear += [0.0] * (len(clear) - limit)
        self._factor = [chance / (chance - clear[limit]) for chance in clear[:limit] if chance > clear[limit]]

    def clear(self, start: int, found: int) -> list[float]:
        """See :class:`Belief`; asked with nothing found only for ``start`` 0."""
        return self._belief.clear(start, found) if found else self._clear

    def needed(self, position: int, found: int) -> float:
        """See :class:`Belief`."""
        chance = self._belief.needed(position, found)
        if found:
            return chance
        return chance * self._factor[position] if position < len(self._factor) else 0.0


class Mixture:
    """Several beliefs, each with the weight that what was learnt gives it.

    Args:
        beliefs: the beliefs.
        weights: their weights, not all zero.
        start: the positions before it are settled.
        found: how many of those are needed.
    """

    def __init__(self, beliefs: Sequence[Belief], weights: Sequence[float], start: int = 0, found: int = 0) -> None:
        total = sum(weights)
        self._beliefs = beliefs
        self._weights = [weight / total for weight in weights]
        self.found = found
        self._clear = [belief.clear(start, found) for belief in beliefs]
        self.start = start

    def border(self) -> list[float]:
        """Chance that the next needed position is c or later (or that there is none), for c = start … n."""
        return [
            sum(weight * chance for weight, chance in zip(self._weights, chances, strict=True))
            for chances in zip(*self._clear, strict=True)
        ]

    def after(self, position: int) -> Mixture:
        """The mixture once it is learnt that the next needed position is this one."""
        weights = [
            weight * clear[position - self.start] * belief.needed(position, self.found)
            for weight, clear, belief in zip(self._weights, self._clear, self._beliefs, strict=True)
        ]
        return Mixture(self._beliefs, weights, position + 1, self.found + 1)
