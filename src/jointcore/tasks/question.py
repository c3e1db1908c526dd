"""What is asked: a memory of records, a condition on it, and the actions to choose from; not what is true."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jointcore.tasks.memory import Memory

#: Kind of a condition that is a text of its own, such as a user's query.
TEXT = "text"


class Record(NamedTuple):
    """A memory record; one of a user's own memory has its text as value.

    Attributes:
        id: 0 … n - 1, its position among the question's records.
        name, type, value: what the record says.
        cost: payload cost, in tokens.
        relevance: retrieval score; higher is more relevant.
    """

    id: int
    name: str
    type: str
    value: str
    cost: int
    relevance: float


class Condition(NamedTuple):
    """What is to be decided about the records.

    Attributes:
        kind: names the condition's wording in a prompt template: the family of a benchmark task, or :data:`TEXT`.
        text: the condition in words, where its kind does not say it.
        required: ids of the records that the condition names, ascending.
        action: the action that follows when the condition is satisfied; ``None`` where no action stands out.
    """

    kind: str
    text: str = ""
    required: tuple[int, ...] = ()
    action: Hashable = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a memory.

    Attributes:
        id: identifies the question in every result.
        records: the n records in ascending id.
        presentation: record ids in the order in which a prompt lists them.
        condition: what is to be decided.
        actions: what can be decided: two actions or more.
        setting: pairs (name, value) of what else a prompt tells, such as the domain.
        terminal: the terminal action that follows each action, in their order; empty for a question without a
            terminal step.
        memory: what a search may see.
    """

    id: str
    records: tuple[Record, ...]
    presentation: tuple[int, ...]
    condition: Condition
    actions: tuple[Hashable, ...]
    setting: tuple[tuple[str, Any], ...] = ()
    terminal: tuple[Hashable, ...] = ()

    memory: Memory = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        *_, costs, relevance = zip(*self.records, strict=True) if self.records else ((), ())
        object.__setattr__(self, "memory", Memory(self.id, costs, relevance))

    @property
    def everything(self) -> int:
        """The set of all records, a bitset."""
        return self.memory.everything

    def terminal_after(self, action: Hashable) -> Hashable:
        """The terminal action that follows an action.

        Raises:
            ValueError: the question has no terminal step, or does not offer the action.
        """
        return dict(zip(self.actions, self.terminal, strict=True))[action]
