"""What a model reads: the wording and what fills it."""
