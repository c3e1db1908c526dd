"""Label-free CMI, utility as a margin of label scores."""

from __future__ import annotations

from jointcore.selection.causal_memory import causal_memory, margin
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="Label-free CMI (all, margin)",
    position=163,
    extension="Causal Memory Intervention (Srivastava 2026) without labels or gold roles; utility and stability as "
    "differences of margins of label scores are this project's",
)
def cmi_margin(memory: Memory) -> Search:
    """Every record is a candidate, scored by the margin of label scores; 2n + 1 evaluations. See
    :mod:`jointcore.selection.causal_memory`."""
    return causal_memory(memory, range(memory.count), margin)
