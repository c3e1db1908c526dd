"""Multiple minimum sets: either of two channels suffices, complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jointcore.bitsets import bitset


def channels(support: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The support records of channel A (the first half, rounded down) and of channel B."""
    half = len(support) // 2
    return tuple(support[:half]), tuple(support[half:])


def sufficiency(support: Sequence[int]) -> Callable[[int], bool]:
    """Whether a retained set (a bitset) is sufficient, for a task with these support ids."""
    a, b = map(bitset, channels(support))
    return lambda retained: retained & a == a or retained & b == b


def minimal_sets(support: Sequence[int]) -> list[tuple[int, ...]]:
    """The sufficient sets of which no proper subset is sufficient."""
    return list(channels(support))
