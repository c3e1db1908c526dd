"""Keeps every answer, whatever happens to the process that asked."""
