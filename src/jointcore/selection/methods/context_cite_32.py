"""ContextCite with 32 ablations."""

from __future__ import annotations

from jointcore.selection import attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="ContextCite (32)",
    position=171,
    keeps_decision=True,
    costly=True,
    extension="ContextCite (Cohen-Wang et al. 2024) with half the ablations of its package; "
    "then the smallest prefix by weight that decides the same",
)
def context_cite_32(memory: Memory, *, empty_set_fails: bool) -> Search:
    """32 random subsets, a Lasso of the margin on them; at most 32 + n evaluations."""
    return attribution.context_cite(memory, 32, empty_set_fails)
