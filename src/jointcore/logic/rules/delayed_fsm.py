"""Delayed-state: every support record is necessary, as in a conjunction."""

from jointcore.logic.conjunction import minimal_sets, sufficiency

__all__ = ["minimal_sets", "sufficiency"]
