"""Threshold: at least half of the support records, rounded up, suffice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from jointcore.bitsets import bitset


def threshold(support: Sequence[int]) -> int:
    """How many support records a sufficient set holds at least."""
    return max(1, (len(support) + 1) // 2)


def sufficiency(support: Sequence[int]) -> Callable[[int], bool]:
    """Whether a retained set (a bitset) is sufficient, for a task with these support ids."""
    counted, needed = bitset(support), threshold(support)
    return lambda retained: (retained & counted).bit_count() >= needed


def minimal_sets(support: Sequence[int]) -> list[tuple[int, ...]]:
    """The sufficient sets of which no proper subset is sufficient."""
    return list(combinations(support, threshold(support)))
