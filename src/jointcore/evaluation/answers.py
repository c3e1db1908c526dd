"""Between searches and deciders: probes become queries, decisions become answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jointcore.bitsets import full
from jointcore.decisions.protocol import INTERFACES, Decider, Decision, Query
from jointcore.selection.protocol import Answer
from jointcore.tasks.task import Task

#: Nothing is omitted: the reference among the memory interfaces.
FULL_ARCHIVE = "full_archive"
#: The five interfaces of the robustness stage (paper, section on robustness).
COMPARED_INTERFACES = (FULL_ARCHIVE, *INTERFACES)


class Reading(NamedTuple):
    """How a retained set is put to a decider.

    Attributes:
        interface: how omitted records are shown, one of :data:`COMPARED_INTERFACES`.
        label_style: how the question is asked, one of :data:`jointcore.decisions.protocol.LABEL_STYLES`.
    """

    interface: str = "typed_mask"
    label_style: str = "boolean"


#: The reading of the primary run: UNKNOWN masks, YES/NO labels.
PRIMARY = Reading()


def everything(task: Task) -> int:
    """The set of all records of a task."""
    return full(len(task.records))


def shown(task: Task, retained: int, interface: str) -> int:
    """The records that a reading shows as they are when these are retained."""
    return everything(task) if interface == FULL_ARCHIVE else retained


def workflow_query(task: Task, retained: int, reading: Reading = PRIMARY, altered: int = 0) -> Query:
    """The question which workflow action follows from a retained set.

    Where nothing is omitted all interfaces show the same, so that is one question in all of them.
    """
    retained = shown(task, retained, reading.interface)
    nothing_omitted = retained == everything(task)
    interface = PRIMARY.interface if nothing_omitted else reading.interface
    return Query(task, retained, altered, interface, reading.label_style)


def terminal_query(task: Task, action: str, label_style: str = PRIMARY.label_style) -> Query:
    """The question which terminal action follows a workflow action; it depends on nothing else."""
    return Query(task, everything(task), 0, PRIMARY.interface, label_style, action)


def same_decision(decision: Decision, reference: Decision) -> bool:
    """Whether a decision equals the reference; an invalid one, or any against an invalid reference, does not."""
    return decision.valid and reference.valid and decision.action == reference.action


def answer(decision: Decision, reference: Decision) -> Answer:
    """What a search is told about a decision, given the task's decision on full memory."""
    return Answer(same_decision(decision, reference), decision.margin(reference.action))


def finite(margin: float) -> float | None:
    """A margin for a table: ``None`` where a decision is invalid."""
    return None if margin == float("-inf") else margin


class DecisionMemo:
    """A decider that asks another one each distinct question once and remembers the answer.

    Attributes:
        asked: questions answered so far, repeated ones included.
        distinct: questions that the other decider was asked.
    """

    def __init__(self, decider: Decider) -> None:
        self._decider = decider
        self._known: dict[tuple, Decision] = {}
        self.asked = 0
        self.distinct = 0

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries; the new ones are asked in one call.

        Raises:
            ValueError: the other decider answers more or fewer questions than it was asked.
        """
        keys = [_key(query) for query in queries]
        new = {key: query for key, query in zip(keys, queries, strict=True) if key not in self._known}
        if new:
            decisions = self._decider.decide(list(new.values()))
            if len(decisions) != len(new):
                raise ValueError(
                    f"{type(self._decider).__name__} gave {len(decisions)} decisions for {len(new)} queries; "
                    "a decider answers every query, in order"
                )
            self._known.update(zip(new, decisions, strict=True))
        self.asked += len(keys)
        self.distinct += len(new)
        return [self._known[key] for key in keys]

    def counts(self) -> dict[str, int]:
        """How many ``questions`` were answered, ``distinct`` among them, and ``invalid`` among those."""
        invalid = sum(not decision.valid for decision in self._known.values())
        return {"questions": self.asked, "distinct": self.distinct, "invalid": invalid}

    def recall(self, query: Query) -> Decision:
        """The decision on a query that was answered before; it counts as no question."""
        return self._known[_key(query)]


def decide_terminals(memo: DecisionMemo, decided: Sequence[tuple[Task, Decision, str]]) -> list[Decision | None]:
    """The terminal step after each (task, workflow decision, label style); ``None`` after an invalid decision."""
    queries = [terminal_query(task, d.action, style) for task, d, style in decided if d.action is not None]
    terminals = iter(memo.decide(queries))
    return [next(terminals) if decision.valid else None for _, decision, _ in decided]


def _key(query: Query) -> tuple:
    """What distinguishes two queries: the task by its identity, the rest by value."""
    return (
        query.task.paper_task_id,
        query.retained,
        query.altered,
        query.interface,
        query.label_style,
        query.workflow_action,
    )
