"""Full memory: nothing is left out."""

from __future__ import annotations

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection


@method(name="Full memory", position=10, study=True, keeps_decision=True)
def full_memory(memory: Memory) -> Search:
    """Keep every record; no evaluation (paper, section on baselines)."""
    return Selection(memory.everything)
    yield  # makes this a generator: a search that asks nothing
