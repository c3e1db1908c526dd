"""Stale-policy conjunction: the current authorization, all support and the stale policy itself are necessary."""

from jointcore.logic.conjunction import minimal_sets, sufficiency

__all__ = ["minimal_sets", "sufficiency"]
