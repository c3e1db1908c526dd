"""ContextCite with 64 ablations, the default of the authors' package."""

from __future__ import annotations

from jointcore.selection import attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="ContextCite (64)",
    position=170,
    keeps_decision=True,
    costly=True,
    extension="ContextCite (Cohen-Wang et al. 2024) on memory records, the margin as its target; "
    "then the smallest prefix by weight that decides the same",
)
def context_cite(memory: Memory, *, empty_set_fails: bool) -> Search:
    """64 random subsets, a Lasso of the margin on them; at most 64 + n evaluations."""
    return attribution.context_cite(memory, 64, empty_set_fails)
