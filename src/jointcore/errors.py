"""The one error that a user can mend."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: one sentence that names the file, key or record and the remedy."""


def sentence(error: BaseException) -> str:
    """The error's text as a sentence: with a full stop, unless it ends as one."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."
