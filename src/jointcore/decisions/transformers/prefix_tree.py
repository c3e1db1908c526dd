"""Token sequences as a prefix tree: what is already computed, what is run next, and in which batches.

Pure: what is kept for a piece of a sequence (:mod:`jointcore.decisions.transformers.prefix_engine` keeps keys and
values) is not looked at, only its size.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

Tokens = Sequence[Hashable]
Content = TypeVar("Content")


def common(first: Tokens, second: Tokens, start: int = 0) -> int:
    """Length of the longest common beginning; the first ``start`` tokens are known to agree."""
    shorter = min(len(first), len(second))
    if first[start:shorter] == second[start:shorter]:
        return shorter
    low, high = start, shorter  # they agree up to low, and differ somewhere before high
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low


class Piece(NamedTuple):
    """A part of a kept content: its tokens ``[start, stop)`` counted from the content's first."""

    content: object
    start: int
    stop: int


class _Node(Generic[Content]):
    """Consecutive tokens of a sequence; another sequence may leave it after any of them."""

    __slots__ = ("children", "content", "key", "parent", "size", "tokens", "used")

    def __init__(self, tokens: Tokens, content: Content | None, size: int, parent: _Node | None, key: tuple) -> None:
        self.tokens = tokens
        self.content = content
        self.size = size
        self.parent = parent
        self.key = key
        self.children: dict[tuple[int, Hashable], _Node] = {}  # by (tokens of this node before it, its first token)
        self.used = 0


class PrefixTree(Generic[Content]):
    """What was computed for sequences, by their beginnings, within a limit; the least recently used goes first.

    Args:
        limit: the sum of the sizes that may be kept.

    Attributes:
        size: the sum of the sizes that are kept.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._root: _Node = _Node((), None, 0, None, ())
        self._leaves: set[_Node] = set()
        self._clock = 0
        self.size = 0

    def find(self, tokens: Tokens, most: int | None = None) -> list[Piece]:
        """The kept contents of the longest known beginning of a sequence, in order; they count as used now.

        Args:
            tokens: the sequence.
            most: look at no more than so many of its tokens.
        """
        most = len(tokens) if most is None else min(most, len(tokens))
        self._clock += 1
        pieces: list[Piece] = []
        for node, length in self._walk(tokens, most):
            node.used = self._clock
            if length:
                pieces.append(Piece(node.content, 0, length))
        return pieces

    def known(self, tokens: Tokens, most: int | None = None) -> int:
        """Length of the longest known beginning of a sequence; does not count as a use."""
        most = len(tokens) if most is None else min(most, len(tokens))
        return sum(length for _, length in self._walk(tokens, most))

    def add(self, tokens: Tokens, start: int, content: Content, size: int) -> bool:
        """Keep what was computed for ``tokens[start:]``; whether it could be kept.

        It cannot if the beginning is not known, more than it is, or the limit allows no room for it.

        Args:
            tokens: the whole sequence.
            start: how many of its first tokens are known, see :meth:`known`.
            content: what was computed for the rest.
            size: its size.
        """
        path = self._walk(tokens, len(tokens))
        if start >= len(tokens) or sum(length for _, length in path) != start:
            return False
        self._clock += 1
        for node, _ in path:
            node.used = self._clock
        parent, length = path[-1]
        if not self._make_room(size, keep=self._clock):
            return False
        key = (length, tokens[start])
        node = _Node(tuple(tokens[start:]), content, size, parent, key)
        node.used = self._clock
        parent.children[key] = node
        self._leaves.discard(parent)
        self._leaves.add(node)
        self.size += size
        return True

    def _walk(self, tokens: Tokens, most: int) -> list[tuple[_Node, int]]:
        """The nodes along the longest known beginning and how many tokens of each belong to it."""
        tokens = tuple(tokens)
        node, position, path = self._root, 0, [(self._root, 0)]
        while position < most:
            child = node.children.get((path[-1][1], tokens[position]))
            if child is None:
                break
            length = common(child.tokens, tokens[position:most])
            path.append((child, length))
            node, position = child, position + length
        return path

    def _make_room(self, size: int, keep: int) -> bool:
        while self.size + size > self.limit:
            old = min((leaf for leaf in self._leaves if leaf.used < keep), key=lambda leaf: leaf.used, default=None)
            if old is None:
                return False
            self._leaves.remove(old)
            del old.parent.children[old.key]
            if not old.parent.children and old.parent is not self._root:
                self._leaves.add(old.parent)
            self.size -= old.size
        return True


def next_round(sequences: Sequence[Tokens], known: Sequence[int], slack: int = 0) -> list[int]:
    """The sequences to be run side by side now; the others wait, because one of these computes a part of them.

    Args:
        sequences: all that are to be run, sorted.
        known: how many first tokens of each are computed already.
        slack: two sequences run side by side although both compute so many of the same tokens.

    Returns:
        Positions in ``sequences``, ascending; at least one if there are any. Each of the others begins with more
        than ``slack`` tokens beyond its known ones that one of the chosen computes.
    """
    chosen: list[int] = []
    for number, tokens in enumerate(sequences):
        # Among the chosen the last one has the longest common beginning, because they are sorted.
        if not chosen or common(sequences[chosen[-1]], tokens) - known[number] <= slack:
            chosen.append(number)
    return chosen


def batches(lengths: Sequence[int], largest: int, overhead: int) -> list[list[int]]:
    """Rows in batches, longest first, at the least cost: a batch costs rows × longest row + overhead.

    Args:
        lengths: tokens to be run of each row.
        largest: rows of a batch at most.
        overhead: what a batch costs besides, in tokens.

    Returns:
        Positions in ``lengths``, each once.
    """
    order = sorted(range(len(lengths)), key=lambda number: (-lengths[number], number))
    best: list[tuple[int, int]] = [(0, 0)]  # cost of the first rows, and where their last batch begins
    for stop in range(1, len(order) + 1):
        starts = range(max(0, stop - largest), stop)
        best.append(
            min((best[start][0] + (stop - start) * lengths[order[start]] + overhead, start) for start in starts)
        )
    found, stop = [], len(order)
    while stop:
        start = best[stop][1]
        found.append(order[start:stop])
        stop = start
    return found[::-1]
