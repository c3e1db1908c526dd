"""A memory record and a task: one condition of the benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Record(NamedTuple):
    """A typed memory record.

    Attributes:
        id: 0 … n - 1, unique in its task.
        name, type, value: what the record says.
        cost: payload cost, in tokens.
        relevance: retrieval score, rounded to 8 decimals; higher is more relevant.
    """

    id: int
    name: str
    type: str
    value: str
    cost: int
    relevance: float


@dataclass(frozen=True, slots=True)
class Task:
    """One condition of JointCoreBench (paper, benchmark section).

    Attributes:
        paper_task_id: SHA-256 that identifies the task in every result.
        task_id: SHA-256 that identifies its memory (without horizon label and presentation).
        condition, key: the readable identities behind the two digests.
        domain, family: slugs.
        candidate_count: number of records, n.
        support_size: the grid's support size s (a single-variable task still has one support record).
        horizon_label: appears in a prompt's text only.
        seed_block: replicate number, b.
        seed: the integer seed of the memory.
        records: the n records in ascending id.
        support: ids of the support records, ascending.
        presentation_order: record ids in the order in which a prompt lists them.
        satisfied_action: the action when the rule is satisfied, ``EXECUTE`` or ``HOLD``.
    """

    paper_task_id: str
    task_id: str
    condition: str
    key: str
    domain: str
    family: str
    candidate_count: int
    support_size: int
    horizon_label: int
    seed_block: int
    seed: int
    records: tuple[Record, ...]
    support: tuple[int, ...]
    presentation_order: tuple[int, ...]
    satisfied_action: str
