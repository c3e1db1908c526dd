"""Label-free CMI, the four most relevant as candidates."""

from __future__ import annotations

from jointcore.selection.causal_memory import agreement, causal_memory
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Label-free CMI (top 4)",
    position=161,
    extension="Causal Memory Intervention (Srivastava 2026) scored by agreement with the decision on full memory, "
    "without labels or gold roles",
)
def cmi_top4(memory: Memory) -> Search:
    """The four most relevant records are candidates; 9 evaluations. See :mod:`jointcore.selection.causal_memory`."""
    return causal_memory(memory, memory.most_relevant(4), agreement)
