"""The published actions on notes whose facts are not known, without a model: what each picks out of the texts.

A language model would write anew; these only pick sentences, so they lose words and never add one. A record is cut hard
at the budget, in alphanumeric words, as published.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jointcore.consolidation.features import similarities
from jointcore.consolidation.notes import Note, cost, cut
from jointcore.consolidation.operators import pack

_END = re.compile(r"(?<=[.!?])\s+|\n+")


class Written(NamedTuple):
    """What an action leaves in the context.

    Attributes:
        text: what can be read; raw notes stand on a line each.
        kept: ids of the notes that it is made of.
    """

    text: str
    kept: tuple[int, ...]


def write(action: str, notes: Sequence[Note], query: str, budget: int) -> Written:
    """The text that an action leaves of some notes.

    * Retain: whole notes, cheapest first, while they fit.
    * Merge: every sentence once, in order.
    * Abstract: the sentences that are most like the question, while they fit, in order.
    * Rewrite: of each note the sentence most like the question; then cheapest first, while they fit.

    Args:
        action: one of :data:`jointcore.consolidation.operators.ACTIONS`.
        notes: raw notes, their text in ``opening``.
        query: the question.
        budget: words at most.
    """
    if action == "retain":
        return _lines(pack(notes, budget))
    told = [(note.id, sentence) for note in notes for sentence in sentences(note.text)]
    likeness = similarities(query, [sentence for _, sentence in told])
    if action == "rewrite":
        best = {}
        for (name, sentence), value in zip(told, likeness, strict=True):
            if name not in best or value > best[name][0]:
                best[name] = value, sentence
        return _lines(pack([note._replace(opening=best[note.id][1]) for note in notes], budget))
    first: dict[tuple[str, ...], int] = {}
    for place, (_, sentence) in enumerate(told):
        first.setdefault(tuple(re.findall(r"[^\W_]+", sentence.casefold())), place)
    places = sorted(first.values())
    if action == "abstract":
        places = _most_alike(places, told, likeness, budget)
    elif action != "merge":
        raise ValueError(f"there is no action {action!r}")
    return _record([told[place] for place in places], budget)


def sentences(text: str) -> list[str]:
    """The sentences of a text, by full stops, question and exclamation marks and line ends."""
    return [part.strip() for part in _END.split(text) if part.strip()]


def _most_alike(places, told, likeness, budget: int) -> list[int]:
    """The places most like the question, while their sentences fit; the first in any case."""
    chosen, left = [], budget
    for place in sorted(places, key=lambda place: (-likeness[place], place)):
        left -= cost(told[place][1])
        if chosen and left < 0:
            break
        chosen.append(place)
    return sorted(chosen)


def _lines(notes: Sequence[Note]) -> Written:
    return Written("\n".join(note.text for note in notes), tuple(note.id for note in notes))


def _record(told: Sequence[tuple[int, str]], budget: int) -> Written:
    """One record of sentences, cut at the budget; made of the notes that still have a word in it."""
    kept, used = [], 0
    for name, sentence in told:
        if used >= budget:
            break
        used += cost(sentence)
        kept.append(name)
    return Written(cut(" ".join(sentence for _, sentence in told), budget), tuple(dict.fromkeys(kept)))
