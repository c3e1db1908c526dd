"""Random-B: a seeded random choice."""

from __future__ import annotations

from jointcore.bitsets import bitset
from jointcore.hashing import shuffled
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection


@method(name="Random-B", position=20, study=True)
def random_b(memory: Memory, *, budget: int) -> Search:
    """Keep ``budget`` records at random, seeded by the task; no evaluation (paper, section on baselines)."""
    return Selection(bitset(shuffled(memory.count, memory.id, "random_b")[:budget]))
    yield  # makes this a generator: a search that asks nothing
