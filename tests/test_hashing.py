"""Identity by hashing: known answers from hashlib itself."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointcore.hashing import canonical_json, sha256, sha256_file, shuffled, stable_seed, unit_interval


def reference_seed(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def test_parts_are_joined_by_the_unit_separator():
    assert stable_seed("a", 1, 2.5) == reference_seed("a\x1f1\x1f2.5")
    assert stable_seed("a1") != stable_seed("a", 1)


@given(st.lists(st.text(st.characters(codec="utf-8")), min_size=1))
def test_seed_is_the_first_64_bits(parts):
    assert stable_seed(*parts) == reference_seed("\x1f".join(parts))
    assert 0 <= unit_interval(*parts) <= 1


def test_shuffle_is_that_of_a_seeded_random():
    expected = list(range(16))
    random.Random(reference_seed("key\x1fsupport-order")).shuffle(expected)
    assert shuffled(16, "key", "support-order") == expected
    assert sorted(expected) == list(range(16))


def test_canonical_json_is_ascii_sorted_and_dense():
    assert canonical_json({"b": [1, 2.5, None], "a": "é"}) == '{"a":"\\u00e9","b":[1,2.5,null]}'


def test_digests(tmp_path):
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    (tmp_path / "file").write_bytes(b"abc")
    assert sha256("abc") == known == sha256_file(tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        sha256_file(tmp_path / "none")
