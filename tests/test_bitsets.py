"""Bitsets against Python's sets."""

from hypothesis import given
from hypothesis import strategies as st

from jointcore.bitsets import bitset, from_bytes, full, members, packed

ids = st.sets(st.integers(0, 300))


@given(ids, ids)
def test_operations_are_those_of_sets(a, b):
    assert members(bitset(a)) == sorted(a)
    assert members(bitset(a) & ~bitset(b)) == sorted(a - b)
    assert bitset(a).bit_count() == len(a)


@given(ids)
def test_bytes_round_trip(a):
    (data,) = packed([bitset(a)], 301)
    assert len(data) == 38
    assert from_bytes(data) == bitset(a)


def test_full():
    assert members(full(3)) == [0, 1, 2]
    assert full(0) == 0
