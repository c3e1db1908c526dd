"""Asks an OpenAI-compatible server over HTTP."""
