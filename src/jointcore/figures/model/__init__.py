"""Figures of the model stage: every module holds one, found by its name."""
