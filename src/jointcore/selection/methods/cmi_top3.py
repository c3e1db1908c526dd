"""Label-free CMI, the three most relevant as candidates."""

from __future__ import annotations

from jointcore.selection.causal_memory import agreement, causal_memory
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Label-free CMI (top 3)",
    position=162,
    extension="Causal Memory Intervention (Srivastava 2026) scored by agreement with the decision on full memory, "
    "without labels or gold roles",
)
def cmi_top3(memory: Memory) -> Search:
    """The three most relevant records are candidates, as published; 7 evaluations. See
    :mod:`jointcore.selection.causal_memory`."""
    return causal_memory(memory, memory.most_relevant(3), agreement)
