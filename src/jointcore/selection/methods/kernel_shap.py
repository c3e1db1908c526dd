"""KernelSHAP with 25 evaluations."""

from __future__ import annotations

from jointcore.selection import attribution
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search


@method(
    name="KernelSHAP (25)",
    position=172,
    keeps_decision=True,
    costly=True,
    extension="KernelSHAP (Lundberg and Lee 2017) with the 25 evaluations of Captum's default; "
    "then the smallest prefix by weight that decides the same",
)
def kernel_shap(memory: Memory, *, empty_set_fails: bool) -> Search:
    """25 sets drawn by the Shapley kernel, a linear regression on them; at most 25 + n evaluations."""
    return attribution.kernel_shap(memory, 25, empty_set_fails)
