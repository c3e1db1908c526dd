"""The four published actions on an evidence cluster, and Select, without a model: what each writes, and what it loses.

Every output is cut hard at the budget: a statement counts if all of its words are inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jointcore.consolidation.notes import Inquiry, Note, Statement, cost
from jointcore.hashing import unit_interval

#: The published actions in their order; Retain is what the others are measured against.
ACTIONS = ("retain", "merge", "abstract", "rewrite")
#: What a reader learns of a blurred value.
BLURRED = "something"
#: The action that this project adds: the minimal set of notes that keeps the answer, then packing.
SELECT = "select"


@dataclass(frozen=True, slots=True)
class Losses:
    """What the operators lose.

    Attributes:
        merge_drops_duplicates: Merge tells a fact once, however often it was noted.
        abstract_keeps_dates: Abstract tells when.
        abstract_keeps_superseded: Abstract tells earlier values of an attribute too.
        abstract_facts: facts that Abstract tells at most, the most recent ones; 0 for all.
        rewrite_keeps_dates: Rewrite tells when.
        blurred: by action, the share of facts whose value it blurs, so that it cannot be read any more; which ones is a
            hash of the action, the question and the fact.
        seed: of what is blurred.
    """

    merge_drops_duplicates: bool = True
    abstract_keeps_dates: bool = False
    abstract_keeps_superseded: bool = False
    abstract_facts: int = 0
    rewrite_keeps_dates: bool = True
    blurred: Mapping[str, float] = field(default_factory=lambda: {"merge": 0.08, "abstract": 0.05, "rewrite": 0.15})
    seed: int = 0


class Output(NamedTuple):
    """What an action leaves in the context.

    Attributes:
        statements: what can be read.
        cost: words.
        kept: ids of the raw notes that are in it whole; empty for a record made of them.
    """

    statements: tuple[Statement, ...]
    cost: int
    kept: tuple[int, ...] = ()


def pack(notes: Sequence[Note], budget: int) -> list[Note]:
    """Whole notes, cheapest first (ties: lower id), while they fit; a note that does not fit ends it."""
    chosen, left = [], budget
    for note in sorted(notes, key=lambda note: (note.cost, note.id)):
        if note.cost > left:
            break
        chosen.append(note)
        left -= note.cost
    return sorted(chosen, key=lambda note: note.id)


def retain(cluster: Sequence[Note], budget: int, losses: Losses) -> Output:
    """Raw notes, cheapest first, while they fit."""
    chosen = pack(cluster, budget)
    return Output(
        tuple(statement for note in chosen for statement in note.statements),
        sum(note.cost for note in chosen),
        tuple(note.id for note in chosen),
    )


def merge(cluster: Sequence[Note], budget: int, losses: Losses) -> Output:
    """One factual union in the order of the sessions: what tells no fact is gone, dates stay."""
    told, statements = set(), []
    for note in cluster:
        for statement in note.statements:
            if losses.merge_drops_duplicates and statement.fact in told:
                continue
            told.add(statement.fact)
            statements.append(statement)
    return _within(statements, budget)


def abstract(cluster: Sequence[Note], budget: int, losses: Losses) -> Output:
    """One higher-level note: an entity once, its attributes and values behind it; qualifiers are dropped."""
    facts = {statement.fact for note in cluster for statement in note.statements}
    if not losses.abstract_keeps_superseded:
        latest = {fact.key: fact for fact in sorted(facts, key=lambda fact: fact.day)}
        facts = set(latest.values())
    ordered = sorted(facts, key=lambda fact: (-fact.day, fact))
    if losses.abstract_facts:
        ordered = ordered[: losses.abstract_facts]
    ordered.sort(key=lambda fact: (fact.entity, fact.attribute, fact.day))
    statements, entity = [], None
    for fact in ordered:
        when = f" day {fact.day}" if losses.abstract_keeps_dates else ""
        about = f"{fact.entity}: " if fact.entity != entity else ""
        statements.append(Statement(f"{about}{fact.attribute} {fact.value}{when};", fact, losses.abstract_keeps_dates))
        entity = fact.entity
    return _within(statements, budget)


def rewrite(cluster: Sequence[Note], budget: int, losses: Losses) -> Output:
    """Each note by itself, shortened; then whole ones, cheapest first, while they fit."""
    shortened = [
        note._replace(opening="", statements=tuple(_short(s, losses.rewrite_keeps_dates) for s in note.statements))
        for note in cluster
    ]
    chosen = pack(shortened, budget)
    return Output(tuple(s for note in chosen for s in note.statements), sum(note.cost for note in chosen))


OPERATORS: Mapping[str, Callable[[Sequence[Note], int, Losses], Output]] = {
    "retain": retain,
    "merge": merge,
    "abstract": abstract,
    "rewrite": rewrite,
}


def apply(action: str, inquiry: Inquiry, budget: int, losses: Losses) -> Output:
    """What a published action leaves of a question's cluster under a budget."""
    output = OPERATORS[action](inquiry.cluster, budget, losses)
    rate = losses.blurred.get(action, 0.0)
    if not rate:
        return output
    return output._replace(
        statements=tuple(
            statement._replace(fact=statement.fact._replace(value=BLURRED))
            if unit_interval(losses.seed, "blurred", action, inquiry.id, *statement.fact) < rate
            else statement
            for statement in output.statements
        )
    )


def _short(statement: Statement, keeps_dates: bool) -> Statement:
    fact = statement.fact
    when = f" day {fact.day}" if keeps_dates else ""
    return Statement(f"{fact.entity} {fact.attribute} {fact.value}{when}.", fact, keeps_dates)


def _within(statements: Sequence[Statement], budget: int) -> Output:
    """The statements that are whole within the first ``budget`` words; the output fills at most the budget."""
    kept, used = [], 0
    for statement in statements:
        used += cost(statement.text)
        if used <= budget:
            kept.append(statement)
    return Output(tuple(kept), min(used, budget))
