"""A made-up world of text memories: a yard whose vehicles leave when their papers are in (a local demonstration).

Every vehicle needs papers of its own; which ones, its question says. A record that mentions a paper counts as having
it, a record that mentions a hazard as its being there. All other records are chat. So the smallest sets that keep a
decision are known: one record of each needed paper, one of either, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from jointcore.decisions.prompts.text_template import TextPromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.local_models.grammar import Example
from jointcore.tasks.question import TEXT, Condition, Question, Record


class Policy(NamedTuple):
    """What a vehicle needs.

    Attributes:
        rule: ``one`` paper, ``both`` papers, ``either`` of them, or ``safe``: a paper and no hazard.
        first: the paper.
        second: the other paper, or the hazard; empty for a rule with one paper.
    """

    rule: str
    first: str
    second: str = ""


POLICIES = {
    "barge": Policy("safe", "clearance", "flood"),
    "crane": Policy("both", "permit", "signature"),
    "ferry": Policy("either", "license", "certificate"),
    "parcel": Policy("one", "invoice"),
    "tanker": Policy("both", "inspection", "insurance"),
    "train": Policy("either", "schedule", "escort"),
    "truck": Policy("safe", "manifest", "strike"),
    "wagon": Policy("one", "receipt"),
}
_NEEDS = {
    "one": "It needs the {first}.",
    "both": "It needs the {first} and the {second}.",
    "either": "It needs the {first} or the {second}.",
    "safe": "It needs the {first} and no {second}.",
}
#: Pairs of answers, the one for "leaves" first.
ANSWERS = (("YES", "NO"), ("GO", "WAIT"))
#: What is filed and happens, but no vehicle needs.
_OTHER_PAPERS = ("bicycle", "calendar", "kettle", "ladder", "lamp", "newspaper", "printer", "umbrella")
_EVENTS = ("birthday", "concert", "parade", "quiz")
_PEOPLE = ("Anna", "Boris", "Chen", "Dora", "Emil", "Fatima", "Goran", "Rosa")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_PAPER_SAID = ("The {paper} arrived on {day}.", "{person} filed the {paper}.", "{person} saw the {paper} on {day}.")
_EVENT_SAID = ("{person} reported the {event}.", "The {event} began on {day}.")
_CHAT = (
    "{person} asked for coffee.",
    "{person} was late on {day}.",
    "The canteen served soup on {day}.",
    "{person} thanked {other}.",
    "It rained on {day}.",
    "{person} moved the {vehicle}.",
)
_WORDS = re.compile(r"\w+|[^\w\s]+")


def query_text(vehicle: str) -> str:
    """The question whether a vehicle leaves."""
    policy = POLICIES[vehicle]
    return f"Does the {vehicle} leave? {_NEEDS[policy.rule].format(**policy._asdict())}"


def leaves(vehicle: str, texts: Iterable[str]) -> bool:
    """Whether a vehicle leaves, given the records that are retained."""
    rule, first, second = POLICIES[vehicle]
    said = {word for text in texts for word in _WORDS.findall(text)}
    if rule == "either":
        return first in said or second in said
    if rule == "safe":
        return first in said and second not in said
    return first in said and (not second or second in said)


def draw_memory(rng: Random, vehicle: str, satisfied: bool, size: int, strange: float = 0.5) -> list[str]:
    """Draw the texts of a memory.

    Args:
        rng: the source of every choice.
        vehicle: the vehicle that is asked about.
        satisfied: whether it is to leave.
        size: the largest number of records.
        strange: share of the other records that mention papers and events which no vehicle needs.
    """
    rule, *wanted = POLICIES[vehicle]
    hazard = wanted[1] if rule == "safe" else None
    while True:
        mentioned = [word for word in wanted if word and rng.random() < 0.5]
        if leaves(vehicle, mentioned) == satisfied:
            break
    texts = [
        _say(rng, _EVENT_SAID, event=word) if word == hazard else _say(rng, _PAPER_SAID, paper=word)
        for word in mentioned
        for _ in range(rng.choice((1, 1, 2)))
    ]
    for _ in range(rng.randrange(max(1, size - len(texts) + 1))):
        if rng.random() >= strange:
            texts.append(_say(rng, _CHAT))
        elif rng.random() < 0.8:
            texts.append(_say(rng, _PAPER_SAID, paper=rng.choice(_OTHER_PAPERS)))
        else:
            texts.append(_say(rng, _EVENT_SAID, event=rng.choice(_EVENTS)))
    rng.shuffle(texts)
    return texts


def draw_text_example(rng: Random, size: int, strange: float = 0.5) -> Example:
    """Draw a question and its answer, half of them satisfied; see :func:`draw_memory`."""
    vehicle, satisfied, answers = rng.choice(list(POLICIES)), rng.random() < 0.5, rng.choice(ANSWERS)
    question = as_question("training", vehicle, draw_memory(rng, vehicle, satisfied, size, strange), answers)
    return Example(Query(question, question.everything), answers[not satisfied])


def as_question(identifier: str, vehicle: str, texts: Sequence[str], answers: tuple[str, str] = ANSWERS[0]) -> Question:
    """A question about a vehicle, whose records are shown in the order of the texts and cost a token a word."""
    records = tuple(Record(i, str(i), "", text, len(text.split()), 0.0) for i, text in enumerate(texts))
    condition = Condition(TEXT, query_text(vehicle))
    return Question(identifier, records, tuple(range(len(texts))), condition, answers)


def text_vocabulary(template: TextPromptTemplate) -> list[str]:
    """Every word and mark of the template's prompts and answers about this world, sorted."""
    said = [
        *(form.format(person=p, day=d, paper="", event="", other="", vehicle="") for form, p, d in _forms()),
        *(word for policy in POLICIES.values() for word in policy[1:]),
        *_OTHER_PAPERS,
        *_EVENTS,
        *POLICIES,
        *(answer for pair in ANSWERS for answer in pair),
    ]
    words = {word for text in said for word in _WORDS.findall(text)}
    for vehicle, answers, texts in product(POLICIES, ANSWERS, ([], said[:1])):
        question = as_question("vocabulary", vehicle, texts, answers)
        for message in template.render(Query(question, question.everything)).messages:
            words.update(_WORDS.findall(message["content"]))
    return sorted(words)


def _forms() -> Iterable[tuple[str, str, str]]:
    return product((*_PAPER_SAID, *_EVENT_SAID, *_CHAT), _PEOPLE, _DAYS)


def _say(rng: Random, forms: Sequence[str], **words: str) -> str:
    person, other, day = rng.choice(_PEOPLE), rng.choice(_PEOPLE), rng.choice(_DAYS)
    return rng.choice(forms).format(person=person, other=other, day=day, vehicle=rng.choice(list(POLICIES)), **words)
