"""The contract of a decider: queries in, decisions out, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from jointcore.tasks.task import Task

#: How an omitted record is shown (paper, section on memory interfaces).
INTERFACES = ("typed_mask", "deletion", "plausible_same_type", "counterfactual")
#: How the question is asked (paper, section on label styles).
LABEL_STYLES = ("boolean", "direct", "ab")
#: The terminal action that follows each workflow action.
TERMINAL = {"EXECUTE": "COMMIT", "HOLD": "HALT"}


@dataclass(frozen=True, slots=True)
class Query:
    """One question about one task.

    Attributes:
        task: the task.
        retained: bitset of the records that are shown as they are.
        altered: bitset of retained records that are shown with an altered value (label-free CMI only).
        interface: how omitted records are shown, one of :data:`INTERFACES`.
        label_style: how the question is asked, one of :data:`LABEL_STYLES`.
        workflow_action: ``None`` asks for the workflow action; an action asks for the terminal
            action that follows it.
    """

    task: Task
    retained: int
    altered: int = 0
    interface: str = "typed_mask"
    label_style: str = "boolean"
    workflow_action: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one query.

    Attributes:
        action: the action taken; ``None`` if the decision is invalid, which is not a "no".
        scores: score of each offered action, in the decider's own unit (mean conditional
            log-probability in nats for a language model); empty if invalid.
        reason: why the decision is invalid; empty if it is valid.
    """

    action: str | None
    scores: dict[str, float] = field(default_factory=dict)
    reason: str = ""

    @property
    def valid(self) -> bool:
        """Whether an action was taken."""
        return self.action is not None

    def margin(self, action: str | None) -> float:
        """By how much an action beats the best other one; ``-inf`` if either decision is invalid."""
        if action is None or action not in self.scores:
            return float("-inf")
        return self.scores[action] - max(score for other, score in self.scores.items() if other != action)


class Decider(Protocol):
    """Whoever answers queries."""

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        ...
