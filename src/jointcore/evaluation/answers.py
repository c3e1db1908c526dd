"""Between the stages and a judge: how a retained set is put to it, and what it has been asked before."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from jointcore.decisions.prompts.interfaces import COMPARED_INTERFACES, FULL_ARCHIVE
from jointcore.decisions.protocol import Decision, Judge, Query
from jointcore.tasks.question import Question

__all__ = ["COMPARED_INTERFACES", "FULL_ARCHIVE"]


class Reading(NamedTuple):
    """How a retained set is put to a judge.

    Attributes:
        interface: how omitted records are shown, one of :data:`COMPARED_INTERFACES`.
        label_style: how the question is asked, one of :data:`jointcore.decisions.prompts.label_styles.LABEL_STYLES`.
    """

    interface: str = "typed_mask"
    label_style: str = "boolean"


#: The reading of the primary run: UNKNOWN masks, YES/NO labels.
PRIMARY = Reading()


def shown(question: Question, retained: int, interface: str) -> int:
    """The records that a reading shows as they are when these are retained."""
    return question.everything if interface == FULL_ARCHIVE else retained


def workflow_query(question: Question, retained: int, reading: Reading = PRIMARY) -> Query:
    """The query which action follows from a retained set.

    Where nothing is omitted all interfaces show the same, so that is one query in all of them.
    """
    retained = shown(question, retained, reading.interface)
    interface = PRIMARY.interface if retained == question.everything else reading.interface
    return Query(question, retained, 0, interface, reading.label_style)


def terminal_query(question: Question, action: Hashable, label_style: str = PRIMARY.label_style) -> Query:
    """The query which terminal action follows an action; it depends on nothing else."""
    return Query(question, question.everything, 0, PRIMARY.interface, label_style, action)


def finite(margin: float) -> float | None:
    """A margin for a table: ``None`` where a decision is invalid."""
    return None if margin == float("-inf") else margin


class DecisionMemo:
    """A judge that asks another one each distinct query once and remembers the answer.

    Attributes:
        asked: queries answered so far, repeated ones included.
        distinct: queries that the other judge was asked.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[tuple, Decision] = {}
        self.asked = 0
        self.distinct = 0

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries; the new ones are asked in one call.

        Raises:
            ValueError: the other judge answers more or fewer queries than it was asked.
        """
        keys = [query.identity for query in queries]
        new = {key: query for key, query in zip(keys, queries, strict=True) if key not in self._known}
        if new:
            decisions = self._judge.decide(list(new.values()))
            if len(decisions) != len(new):
                raise ValueError(
                    f"{type(self._judge).__name__} gave {len(decisions)} decisions for {len(new)} queries; "
                    "a judge answers every query, in order"
                )
            self._known.update(zip(new, decisions, strict=True))
        self.asked += len(keys)
        self.distinct += len(new)
        return [self._known[key] for key in keys]

    def counts(self) -> dict[str, int]:
        """How many ``questions`` were answered, ``distinct`` among them, and ``invalid`` among those."""
        invalid = sum(not decision.valid for decision in self._known.values())
        return {"questions": self.asked, "distinct": self.distinct, "invalid": invalid}


def decide_terminals(judge: Judge, decided: Sequence[tuple[Question, Decision, str]]) -> list[Decision | None]:
    """The terminal step after each (question, decision, label style).

    ``None`` after an invalid decision, and for a question without a terminal step.
    """
    queries = [
        terminal_query(question, decision.action, style) if decision.valid and question.terminal else None
        for question, decision, style in decided
    ]
    terminals = iter(judge.decide([query for query in queries if query is not None]))
    return [query and next(terminals) for query in queries]
