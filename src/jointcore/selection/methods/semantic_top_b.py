"""Semantic top-B: retrieval by relevance."""

from __future__ import annotations

from jointcore.bitsets import bitset
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection


@method(name="Semantic top-B", position=30, study=True)
def semantic_top_b(memory: Memory, *, budget: int) -> Search:
    """Keep the ``budget`` most relevant records; no evaluation (paper, section on baselines)."""
    return Selection(bitset(memory.most_relevant(budget)))
    yield  # makes this a generator: a search that asks nothing
