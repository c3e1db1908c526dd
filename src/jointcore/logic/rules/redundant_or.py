"""Redundant OR: any one support record suffices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jointcore.bitsets import bitset


def sufficiency(support: Sequence[int]) -> Callable[[int], bool]:
    """Whether a retained set (a bitset) is sufficient, for a task with these support ids."""
    any_of = bitset(support)
    return lambda retained: retained & any_of != 0


def minimal_sets(support: Sequence[int]) -> list[tuple[int, ...]]:
    """The sufficient sets of which no proper subset is sufficient."""
    return [(record,) for record in support]
