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
    """The ids in a set, ascending.

    Raises:
        ValueError: the number is negative, so no set of records.
    """
    if retained < 0:
        raise ValueError(f"{retained} is no set of records; write a complement as everything & ~{~retained}")
    if 4 * retained.bit_count() > retained.bit_length():  # dense: digit by digit
        return [identifier for identifier, digit in enumerate(bin(retained)[:1:-1]) if digit == "1"]
    result = []
    while retained:
        lowest = retained & -retained
        result.append(lowest.bit_length() - 1)
        retained ^= lowest
    return result


def packed(sets: Iterable[int], count: int) -> list[bytes]:
    """Sets over ``count`` records, each as little-endian bytes, ``ceil(count / 8)`` of them."""
    size = (count + 7) // 8
    return [one.to_bytes(size, "little") for one in sets]


def from_bytes(data: bytes) -> int:
    """A set that :func:`packed` wrote."""
    return int.from_bytes(data, "little")
