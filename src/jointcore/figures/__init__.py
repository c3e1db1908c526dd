"""Figures, drawn from tables of numbers."""
