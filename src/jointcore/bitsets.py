"""Sets of record ids as integers: bit ``i`` is set when record ``i`` is in the set.

Searches and rules ask for unions, differences and sizes of retained sets several
hundred thousand times; on integers these are single operations for any number of records.
"""

from __future__ import annotations

from collections.abc import Iterable


def bitset(ids: Iterable[int]) -> int:
    """The set that holds the given record ids."""
    result = 0
    for identifier in ids:
        result |= 1 << identifier
    return result


def full(count: int) -> int:
    """The set of all ids below ``count``."""
    return (1 << count) - 1


def members(retained: int) -> list[int]:
    """The ids in a set, ascending."""
    result = []
    while retained:
        lowest = retained & -retained
        result.append(lowest.bit_length() - 1)
        retained ^= lowest
    return result


def to_bytes(retained: int, count: int) -> bytes:
    """A set over ``count`` records as little-endian bytes, ``ceil(count / 8)`` of them."""
    return retained.to_bytes((count + 7) // 8, "little")


def from_bytes(data: bytes) -> int:
    """The set that :func:`to_bytes` wrote."""
    return int.from_bytes(data, "little")
