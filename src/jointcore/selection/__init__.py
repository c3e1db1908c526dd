"""Searches for a small retained set, as generators that never know who decides."""
