"""Questions about text memories for the tests."""

from __future__ import annotations

from jointcore.tasks.question import TEXT, Condition, Question, Record

TEXTS = (
    "The permit arrived on Monday.",
    "Rosa asked for coffee.",
    "Emil filed the invoice.",
    "The canteen served soup.",
    "It rained on Friday.",
)


def text_question(
    identifier: str = "q1",
    query: str = "Does the crane leave?",
    texts: tuple[str, ...] = TEXTS,
    answers: tuple[str, ...] = ("YES", "NO"),
) -> Question:
    """A question about text memories, in the order in which they are given."""
    records = tuple(Record(i, f"name{i}", "note", text, len(text.split()), 0.0) for i, text in enumerate(texts))
    return Question(identifier, records, tuple(range(len(texts))), Condition(TEXT, query), answers)
