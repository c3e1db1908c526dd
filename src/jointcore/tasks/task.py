"""A task: one condition of the benchmark, a question with its place in the grid."""

from __future__ import annotations

from dataclasses import dataclass

from jointcore.tasks.grid import Cell
from jointcore.tasks.question import Condition, Question, Record

#: The workflow actions of the benchmark, and the terminal action that follows each.
TERMINAL = {"EXECUTE": "COMMIT", "HOLD": "HALT"}
ACTIONS = tuple(TERMINAL)


@dataclass(frozen=True, slots=True)
class Task:
    """One condition of JointCoreBench (paper, benchmark section).

    Attributes:
        question: what is asked; its ``id`` is the column ``paper_task_id`` of every result.
        cell: the grid values; the horizon label appears in a prompt's text only, and a single-variable task has one
            support record whatever its support size.
        task_id: SHA-256 that identifies the memory (without horizon label and presentation).
        condition, key: the readable identities behind the two digests.
        seed: the integer seed of the memory.
    """

    question: Question
    cell: Cell
    task_id: str
    condition: str
    key: str
    seed: int

    @property
    def family(self) -> str:
        """Slug of the family."""
        return self.cell.family

    @property
    def candidate_count(self) -> int:
        """Number of records, n."""
        return self.cell.candidate_count

    @property
    def records(self) -> tuple[Record, ...]:
        """The records in ascending id."""
        return self.question.records

    @property
    def support(self) -> tuple[int, ...]:
        """Ids of the support records, ascending."""
        return self.question.condition.required

    def columns(self) -> dict[str, object]:
        """What a table says of the task: its identity and its grid values."""
        return dict(zip(TASK_COLUMNS, (self.question.id, *self.cell), strict=True))


#: The names of :meth:`Task.columns`.
TASK_COLUMNS = ("paper_task_id", *Cell._fields)


def benchmark_question(
    cell: Cell,
    identity: str,
    records: tuple[Record, ...],
    support: tuple[int, ...],
    presentation: tuple[int, ...],
    satisfied_action: str,
) -> Question:
    """The question of a grid cell, given what its hashes choose."""
    return Question(
        id=identity,
        records=records,
        presentation=presentation,
        condition=Condition(cell.family, required=support, action=satisfied_action),
        actions=ACTIONS,
        setting=(("domain", cell.domain), ("horizon", cell.horizon_label)),
        terminal=tuple(TERMINAL.values()),
    )
