"""XOR: every named flag must be known, for exactly one of them to be seen to be on."""

from jointcore.logic.conjunction import minimal_sets, sufficiency

__all__ = ["minimal_sets", "sufficiency"]
