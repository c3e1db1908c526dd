"""The type of a question by its words, where nobody says it: the router's four-way feature."""

from __future__ import annotations

import re

from jointcore.consolidation.notes import QUESTION_TYPES

#: Words that tell a type, in the order in which they are looked for.
_WORDS = (
    ("order_in_time", r"\b(first|before|after|earlier|later|order|earliest|sooner)\b"),
    ("latest_value", r"\b(now|current|currently|latest|still|today|these days|most recent)\b"),
    ("several_facts", r"\b(and|all|which of|list|how many|are the|were the)\b|,"),
)
assert {name for name, _ in _WORDS} < set(QUESTION_TYPES)


def type_of(query: str) -> str:
    """One of :data:`jointcore.consolidation.notes.QUESTION_TYPES`, by the question's words; a single fact by default.

    English words only: in another language give the type yourself.
    """
    return next((name for name, words in _WORDS if re.search(words, query.casefold())), "single_fact")
