"""Generates questions over notes whose facts are known; every random choice is a hash of the question's identity."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jointcore.consolidation.notes import QUESTION_TYPES, Fact, Inquiry, Note, Statement
from jointcore.errors import InputError
from jointcore.hashing import stable_rng

_ENTITIES = ("Amara", "Bastien", "Chiyo", "Dario", "Elif", "Farah", "Goran", "Hanneke", "Ilya", "Jovana")
_ATTRIBUTES = (
    "office", "supplier", "deadline", "editor", "server", "budget code", "train line", "meeting room", "backup key",
    "project lead", "contract", "dentist",
)  # fmt: skip
_VALUES = ("amber", "birch", "cobalt", "delta", "ember", "fjord", "garnet", "harbor", "indigo", "juniper")
_SOURCES = ("the hallway talk", "a short call", "the weekly mail", "an old ticket", "the shared board")
_FILLER = (
    "we", "spoke", "for", "a", "while", "about", "nothing", "much", "and", "then", "coffee", "was", "good", "weather",
    "stayed", "grey", "someone", "laughed", "later", "the", "printer", "stopped", "again", "as", "usual",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NotesPlan:
    """What is generated.

    Attributes:
        questions: questions of each type.
        notes: smallest and largest number of notes in a cluster.
        filler: fewest and most words of a note that tell no fact.
        repeats: probability that a fact is noted once more.
        seed: of every choice.
        stretch: factor on the words that tell no fact and on nothing else.
    """

    questions: int = 90
    notes: tuple[int, int] = (2, 8)
    filler: tuple[int, int] = (2, 48)
    repeats: float = 0.35
    seed: int = 2607017545
    stretch: int = 1

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> NotesPlan:
        """The plan of a configuration's section.

        Raises:
            InputError: a range is empty, or nothing would be generated.
        """
        plan = cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()})
        for key, least in (("notes", 1), ("filler", 0)):
            low, high = getattr(plan, key)
            if not least <= low <= high:
                raise InputError(
                    f"config key oas/benchmark/{key} is [{low}, {high}]; give a lowest value of at least {least} and a "
                    "highest one not below it"
                )
        return plan


def generate(plan: NotesPlan) -> Iterator[Inquiry]:
    """The questions of a plan, type by type."""
    for kind in QUESTION_TYPES:
        for number in range(plan.questions):
            yield _inquiry(plan, kind, number)


def _inquiry(plan: NotesPlan, kind: str, number: int) -> Inquiry:
    rng = stable_rng(plan.seed, "oas", kind, number)
    entity = rng.choice(_ENTITIES)
    attributes = rng.sample(_ATTRIBUTES, 6)
    needed, related, text = _facts(kind, entity, attributes, rng)
    count = rng.randint(*plan.notes)
    told = [*needed, *related]
    told += [fact for fact in told if rng.random() < plan.repeats]
    places = sorted((fact.day, rng.random(), fact) for fact in told)
    shares: list[list[Fact]] = [[] for _ in range(count)]
    for position, (_, _, fact) in enumerate(places):
        shares[position * count // len(places)].append(fact)
    notes = []
    for facts in shares:
        if facts:
            length = plan.stretch * rng.randint(*plan.filler)
            opening = " ".join(rng.choice(_FILLER) for _ in range(length))
            session = facts[-1].day // 7
            notes.append(Note(len(notes), session, opening, tuple(_tell(fact, rng) for fact in facts)))
    return Inquiry(f"{kind}-{number:04d}", kind, text, tuple(needed), tuple(notes))


def _facts(kind: str, entity: str, attributes: Sequence[str], rng: random.Random) -> tuple[list[Fact], list[Fact], str]:
    """The facts that a question needs, those that stand beside them, and the question."""
    days = sorted(rng.sample(range(1, 200), 8))
    values = rng.sample(_VALUES, 8)
    facts = [Fact(entity, attribute, values[i], days[i]) for i, attribute in enumerate(attributes)]
    others = [
        Fact(other, rng.choice(_ATTRIBUTES), rng.choice(_VALUES), rng.randint(1, 200))
        for other in rng.sample(_ENTITIES, rng.randint(1, 6))
        if other != entity
    ]
    if kind == "single_fact":
        return facts[:1], others + facts[1:3], f"What is the {attributes[0]} of {entity}?"
    if kind == "several_facts":
        wanted = rng.randint(2, 3)
        names = ", ".join(attributes[:wanted])
        return facts[:wanted], others, f"What are the {names} of {entity}?"
    if kind == "latest_value":
        versions = rng.randint(2, 3)
        history = [
            Fact(entity, attributes[0], values[i], days[i], correction=i > 0 and rng.random() < 0.3)
            for i in range(versions)
        ]
        return history[-1:], history[:-1] + others, f"What is the {attributes[0]} of {entity} now?"
    first, second = facts[0], facts[1]
    question = f"Which was settled first for {entity}, the {first.attribute} or the {second.attribute}?"
    return [first, second], others, question


def _tell(fact: Fact, rng: random.Random) -> Statement:
    source = rng.choice(_SOURCES)
    verb = "turned out to be" if fact.correction else "is"
    text = f"The {fact.attribute} of {fact.entity} {verb} {fact.value}, on day {fact.day}, according to {source}."
    return Statement(text, fact, True)
