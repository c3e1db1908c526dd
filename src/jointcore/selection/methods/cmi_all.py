"""Label-free CMI, all records as candidates."""

from __future__ import annotations

from jointcore.selection.causal_memory import agreement, causal_memory
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Label-free CMI (all)",
    position=160,
    extension="Causal Memory Intervention (Srivastava 2026) scored by agreement with the decision on full memory, "
    "without labels or gold roles",
)
def cmi_all(memory: Memory) -> Search:
    """Every record is a candidate; 2n + 1 evaluations. See :mod:`jointcore.selection.causal_memory`."""
    return causal_memory(memory, range(memory.count), agreement)
