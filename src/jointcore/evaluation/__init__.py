"""Drives a search against a decider and measures the outcome."""
