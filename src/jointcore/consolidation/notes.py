"""Notes whose facts are known: what a memory holds, and what a question needs of it.

Cost is counted in alphanumeric words, as published.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")

#: Types of questions, in the order of the router's features.
QUESTION_TYPES = ("single_fact", "several_facts", "latest_value", "order_in_time")


def cost(text: str) -> int:
    """Number of alphanumeric words of a text."""
    return sum(1 for _ in _WORD.finditer(text))


def cut(text: str, budget: int) -> str:
    """The beginning of a text that has at most ``budget`` words."""
    for number, word in enumerate(_WORD.finditer(text)):
        if number == budget:
            return text[: word.start()].rstrip()
    return text


class Fact(NamedTuple):
    """What was said about an attribute of an entity at some time.

    Attributes:
        entity, attribute, value: the statement.
        day: when it was said or happened, in days since the first session; higher is later.
        correction: it takes back an earlier value, so that the earlier one was never true.
    """

    entity: str
    attribute: str
    value: str
    day: int
    correction: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What the fact is about."""
        return self.entity, self.attribute


class Statement(NamedTuple):
    """A piece of text that tells a fact.

    Attributes:
        text: its words.
        fact: the fact that a reader learns.
        dated: whether the text tells when.
    """

    text: str
    fact: Fact
    dated: bool


class Note(NamedTuple):
    """A raw note.

    Attributes:
        id: position in its memory.
        session: number of the session in which it was written.
        opening: words that tell no fact.
        statements: its facts, in the order of its text.
    """

    id: int
    session: int
    opening: str
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """The whole note."""
        return " ".join([self.opening, *(statement.text for statement in self.statements)]).strip()

    @property
    def cost(self) -> int:
        """Words of the note."""
        return cost(self.text)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question over an evidence cluster.

    Attributes:
        id: identity in every result.
        type: one of :data:`QUESTION_TYPES`.
        text: the question in words.
        needed: the facts that answer it.
        cluster: the notes that bear on it, by session.
    """

    id: str
    type: str
    text: str
    needed: tuple[Fact, ...]
    cluster: tuple[Note, ...]
