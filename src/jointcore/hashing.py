"""Deterministic identity: every random choice of the benchmark is a hash (paper, appendix on reproducibility).

Nothing here depends on the Python version, the platform or ``PYTHONHASHSEED``.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

_SEPARATOR = "\x1f"
_LARGEST = float(2**64 - 1)


def sha256(text: str) -> str:
    """Lower-case hexadecimal SHA-256 of the UTF-8 bytes of ``text``."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_file(path: str | Path) -> str:
    """Lower-case hexadecimal SHA-256 of a file's bytes, read in blocks."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def stable_seed(*parts: object) -> int:
    """The first 64 bits of the SHA-256 of the parts joined by U+001F, in ``0 … 2**64 - 1``."""
    joined = _SEPARATOR.join(map(str, parts)).encode("utf-8")
    return int.from_bytes(hashlib.sha256(joined).digest()[:8], "big")


def stable_rng(*parts: object) -> random.Random:
    """A generator seeded by :func:`stable_seed`; the benchmark uses only its ``shuffle``."""
    return random.Random(stable_seed(*parts))


def shuffled(count: int, *parts: object) -> list[int]:
    """``[0 … count - 1]`` shuffled by :func:`stable_rng` of the parts."""
    order = list(range(count))
    stable_rng(*parts).shuffle(order)
    return order


def unit_interval(*parts: object) -> float:
    """:func:`stable_seed` mapped to a double in ``[0, 1]`` (1.0 is possible in principle)."""
    return stable_seed(*parts) / _LARGEST


def canonical_json(value: Any) -> str:
    """ASCII JSON with sorted keys and no blanks: the form whose SHA-256 identifies a value."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
