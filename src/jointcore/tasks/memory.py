"""What a search may see of a question's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jointcore.bitsets import full


@dataclass(frozen=True, slots=True)
class Memory:
    """What a search may see of a memory: no contents, no truth.

    Attributes:
        id: identity of the question, for seeded choices.
        costs: payload cost of each record, in tokens, by position.
        relevance: relevance score of each record, by position.
    """

    id: str
    costs: tuple[int, ...]
    relevance: tuple[float, ...]

    @property
    def count(self) -> int:
        """Number of records, n."""
        return len(self.costs)

    @property
    def everything(self) -> int:
        """The set of all records."""
        return full(len(self.costs))

    def by_ascending_relevance(self) -> list[int]:
        """All ids, least relevant first (ties: lower id first)."""
        return sorted(range(len(self.costs)), key=self.relevance.__getitem__)

    def most_relevant(self, budget: int) -> list[int]:
        """The ``budget`` most relevant ids, most relevant first (ties: lower id first)."""
        return sorted(range(self.count), key=self.relevance.__getitem__, reverse=True)[:budget]

    def anchored_order(self, budget: int) -> tuple[list[int], list[int]]:
        """The records outside the ``budget`` most relevant, in ascending relevance, and the most relevant
        in descending cost (ties: lower id first): the cost-aware order of JointCore."""
        anchors = self.most_relevant(budget)
        inside = set(anchors)
        return [i for i in self.by_ascending_relevance() if i not in inside], self.by_descending_cost(anchors)

    def by_descending_cost(self, ids: Sequence[int] | None = None) -> list[int]:
        """The given ids (all by default), dearest first (ties: lower id first)."""
        ascending = range(self.count) if ids is None else sorted(ids)
        return sorted(ascending, key=self.costs.__getitem__, reverse=True)
