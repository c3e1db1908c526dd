"""Proxy-confounded: every support record is necessary; the proxy, however relevant, counts for nothing."""

from jointcore.logic.conjunction import minimal_sets, sufficiency

__all__ = ["minimal_sets", "sufficiency"]
