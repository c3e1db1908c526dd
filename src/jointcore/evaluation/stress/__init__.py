"""Stress: what every search keeps when relevance or decisions err, and how far it is from the best possible."""
