"""The one error that a user can mend."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: one sentence that names the file, key or record and the remedy."""
