"""What each action would keep of a user's memories under a budget, and which one the trained router would take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jointcore.consolidation.evaluate import outcomes, read_outcomes
from jointcore.consolidation.features import FEATURES, features
from jointcore.consolidation.generate import NotesPlan, generate
from jointcore.consolidation.notes import QUESTION_TYPES, Inquiry, Note, cost
from jointcore.consolidation.operators import ACTIONS, SELECT, Losses, pack
from jointcore.consolidation.question_type import type_of
from jointcore.consolidation.router import Table, ridges
from jointcore.consolidation.routing import routing_table
from jointcore.consolidation.texts import Written, write
from jointcore.errors import InputError
from jointcore.memories.items import Memories, read_memories
from jointcore.memories.options import DEFAULT_METHOD, Options
from jointcore.memories.session import Session

#: Budgets of the generated questions that the router learns from, in words.
BUDGETS = (32, 64, 128, 256)


@dataclass(frozen=True)
class Packed:
    """An action's output.

    Attributes:
        action: its name.
        text: what would stand in the context.
        kept: ids of the memories that it is made of; positions where none are given.
        cost: words of the text.
        advantage: answered questions that the router expects more than with Retain, as a share; 0 for Retain.
        calls: calls of the judge that it took.
    """

    action: str
    text: str
    kept: tuple[Hashable, ...]
    cost: int
    advantage: float
    calls: int


@dataclass(frozen=True)
class Packing:
    """All actions on the same memories.

    Attributes:
        actions: an output for each action, Retain first.
        choice: the action that the router takes.
        features: what it saw, by name.
        warnings: where its word counts for less, a sentence each.
    """

    actions: tuple[Packed, ...]
    choice: str
    features: Mapping[str, float]
    warnings: tuple[str, ...]

    def __getitem__(self, action: str) -> Packed:
        return next(packed for packed in self.actions if packed.action == action)


def pack_memories(
    memories: Any,
    query: str | None = None,
    *,
    budget: int,
    question_type: str | None = None,
    trained: str | Path | None = None,
    judge: Any = None,
    method: str = DEFAULT_METHOD,
    **options: Any,
) -> Packing:
    """Lay the actions of *Retain or Consolidate?* (arXiv 2607.17545) side by side on a user's memories.

    The four published actions pick sentences (see :mod:`jointcore.consolidation.texts`); a judge adds *Select*: the
    memories that its decision rests on, then the others while they fit. The router is OAS's Direct: a ridge regression
    an action, fitted on generated questions, from eleven features that need no output.

    Args:
        memories: see :func:`jointcore.memories.items.read_memories`.
        query: the question; a source's own by default.
        budget: alphanumeric words at most.
        question_type: one of :data:`jointcore.consolidation.notes.QUESTION_TYPES`; by the question's words by default.
        trained: a file of outcomes to learn from, such as ``results/oas/exact.parquet``; the default benchmark is
            generated otherwise, which takes some seconds.
        judge, method, options: see :func:`jointcore.memories.call.select`, for Select.

    Raises:
        InputError: bad input, found before the judge is called; or the judge's selection did not end.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise InputError(f"budget is {budget!r}; give a whole number of words from 1 up")
    if question_type is not None and question_type not in QUESTION_TYPES:
        raise InputError(f"question_type is {question_type!r}; give one of {', '.join(QUESTION_TYPES)}")
    found = read_memories(memories, options.get("source"), options.get("case"))
    query = found.query if query is None else query
    if not isinstance(query, str) or not query.strip():
        raise InputError("there is no query; say which question the memories are for")
    if judge is None and set(options) - {"source", "case"}:
        raise InputError(f"{', '.join(sorted(set(options) - {'source', 'case'}))} is for a judge; give one with judge")
    notes = _notes(found)
    inquiry = Inquiry("query", question_type or type_of(query), query, (), tuple(notes))
    session = None
    if judge is not None:
        inside = {name: value for name, value in options.items() if name not in ("source", "case")}
        session = Session.open(found, judge, query, Options(**inside), [method])
    table = _trained(trained, ACTIONS if session is None else (*ACTIONS, SELECT))
    seen = np.array([features(inquiry, budget)])
    rows = Table(np.array(["query"], dtype=object), np.array([budget]), seen, np.zeros((1, 1)), table.actions)
    advantages = [0.0, *map(float, ridges(table)(rows)[0])]
    written = {action: (write(action, notes, query, budget), 0) for action in ACTIONS}
    if session is not None:
        written[SELECT] = _select(session, method, notes, budget)
    packed = tuple(
        Packed(action, text.text, tuple(found.names[i] for i in text.kept), cost(text.text), advantage, calls)
        for (action, (text, calls)), advantage in zip(written.items(), advantages, strict=True)
    )
    best = max(packed, key=lambda each: each.advantage)  # ties: the first, so Retain before all
    shown = dict(zip(FEATURES, map(float, seen[0]), strict=True))
    return Packing(packed, best.action, shown, (*found.warnings, *_warnings(table, shown, budget)))


def _notes(memories: Memories) -> list[Note]:
    """The memories as notes; a session is a day, or what the metadata call a session."""
    sessions: dict[Any, int] = {}
    notes = []
    for place, item in enumerate(memories):
        session = item.metadata.get("session", (item.time or "").partition("T")[0].partition(" ")[0])
        notes.append(Note(place, sessions.setdefault(str(session), len(sessions)), item.text.strip(), ()))
    return notes


def _trained(path: str | Path | None, actions: Iterable[str]) -> Table:
    rows = outcomes(generate(NotesPlan()), BUDGETS, Losses()) if path is None else read_outcomes(path)
    try:
        return routing_table(rows, tuple(actions))
    except (ValueError, KeyError) as error:
        raise InputError(f"{path} cannot train a router ({error}); make it with: snakemake --cores all oas") from error


def _select(session: Session, method: str, notes: list[Note], budget: int) -> tuple[Written, int]:
    """The memories that the decision rests on, cheapest first, then the others while they fit."""
    result = session.run(method, "select")
    if not result.complete:
        raise InputError(f"the selection did not end: {result.reason}; give a higher cap, or look at the judge")
    names = set(result.kept)
    inside = [note for note, name in zip(notes, result.memories.names, strict=True) if name in names]
    kept = pack(inside, budget)
    others = [note for note in notes if note not in inside]
    kept += pack(others, budget - sum(note.cost for note in kept))
    kept.sort(key=lambda note: note.id)
    return Written("\n".join(note.text for note in kept), tuple(note.id for note in kept)), result.calls


def _warnings(table: Table, seen: Mapping[str, float], budget: int) -> list[str]:
    found = ["the router learned from generated notes; on your own it is a guess until you have checked answers"]
    low, high = int(table.budgets.min()), int(table.budgets.max())
    if not low <= budget <= high:
        found.append(f"the router learned from budgets of {low} to {high} words, and {budget} lies outside")
    for name in ("notes", "cost_per_budget", "sessions"):
        column = table.features[:, FEATURES.index(name)]
        if not column.min() <= seen[name] <= column.max():
            learned = f"{column.min():.3g} to {column.max():.3g}"
            found.append(f"the router learned from {name} of {learned}, and {seen[name]:.3g} lies outside")
    return found
