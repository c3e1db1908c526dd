"""Scores labels with a Transformers checkpoint."""
