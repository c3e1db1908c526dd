"""Synergistic AND: every support record is necessary."""

from jointcore.logic.conjunction import minimal_sets, sufficiency

__all__ = ["minimal_sets", "sufficiency"]
