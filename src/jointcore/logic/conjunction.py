"""Conjunction: every support record is necessary. Shared by the families that differ in wording only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jointcore.bitsets import bitset


def sufficiency(support: Sequence[int]) -> Callable[[int], bool]:
    """Whether a retained set (a bitset) is sufficient, for a task with these support ids."""
    required = bitset(support)
    return lambda retained: retained & required == required


def minimal_sets(support: Sequence[int]) -> list[tuple[int, ...]]:
    """The sufficient sets of which no proper subset is sufficient."""
    return [tuple(support)]
