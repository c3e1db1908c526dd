"""Puts the questions of a search to an asker: about what is retained, or, for the dual, about what is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jointcore.decisions.protocol import Decision, Query
from jointcore.memories.asking import Asker
from jointcore.tasks.question import Question

_CHANGED, _UNCHANGED = "changed", "unchanged"


class RetainedJudge:
    """Decides the retained set of a query; see :class:`Asker` for what it raises."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        return self._asker.decide([query.retained for query in queries])


class RemovedJudge:
    """Decides whether removing the set of a query changes the decision; an invalid decision is no change.

    Args:
        asker: asks what is decided without the set.
        everything: full memory.
        reference: the decision on it.
    """

    def __init__(self, asker: Asker, everything: int, reference: Decision) -> None:
        self._asker = asker
        self._everything = everything
        self._reference = reference

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        found = self._asker.decide([self._everything & ~query.retained for query in queries])
        return [self._change(decision) for decision in found]

    def _change(self, decision: Decision) -> Decision:
        changed = differs(decision, self._reference)
        margin = decision.margin(self._reference.action)
        return Decision(_CHANGED if changed else _UNCHANGED, {_CHANGED: -margin, _UNCHANGED: margin})


def differs(decision: Decision, reference: Decision) -> bool:
    """Whether a valid decision is another one than the reference."""
    return decision.valid and reference.valid and decision.action != reference.action


def of_equal_costs(question: Question) -> Question:
    """The question with every cost 1, so that a search aims at few records."""
    return replace(question, records=tuple(record._replace(cost=1) for record in question.records))
