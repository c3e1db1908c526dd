"""The contract of a judge: queries in, decisions out, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from jointcore.selection.protocol import Probe
from jointcore.tasks.question import Question


@dataclass(frozen=True, slots=True)
class Query:
    """What a judge is asked about one question.

    Attributes:
        question: the question.
        retained: bitset of the records that are shown as they are.
        altered: bitset of retained records that are shown with an altered value (label-free CMI only).
        interface: how omitted records are shown, see :mod:`jointcore.decisions.prompts.interfaces`.
        label_style: how the question is asked, see :mod:`jointcore.decisions.prompts.label_styles`.
        workflow_action: ``None`` asks for the action; an action asks for the terminal action that follows it.
    """

    question: Question
    retained: int
    altered: int = 0
    interface: str = "typed_mask"
    label_style: str = "boolean"
    workflow_action: Hashable = None

    @property
    def offered(self) -> tuple[Hashable, ...]:
        """The actions that can be decided."""
        return self.question.actions if self.workflow_action is None else self.question.terminal

    @property
    def identity(self) -> tuple:
        """What tells two queries apart: all that a prompt depends on.

        A terminal step shows no records, and where nothing is omitted all interfaces show the same.
        """
        question = self.question
        if self.workflow_action is not None:
            return question.id, 0, 0, "", self.label_style, self.workflow_action
        interface = "" if self.retained == question.everything else self.interface
        return question.id, self.retained, self.altered & self.retained, interface, self.label_style, ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one query.

    Attributes:
        action: the action taken, any hashable value; ``None`` if the decision is invalid, which is not a "no".
        scores: score of each offered action, in the judge's own unit (mean conditional log-probability in nats
            for a language model); empty if invalid, or if the judge gives none.
        reason: why the decision is invalid; empty if it is valid.
    """

    action: Hashable
    scores: dict[Hashable, float] = field(default_factory=dict)
    reason: str = ""

    @property
    def valid(self) -> bool:
        """Whether an action was taken."""
        return self.action is not None

    def margin(self, action: Hashable) -> float:
        """By how much an action beats the best other one; ``-inf`` if either decision is invalid."""
        scores = self.scores
        if action is None or action not in scores:
            return float("-inf")
        own = scores[action]
        if len(scores) == 2:  # nearly always
            first, second = scores.values()
            return own - (second if own == first else first)
        return own - max(score for other, score in scores.items() if other != action)


#: Decides probes of one question (retained, group, altered), in their order.
Verdict = Callable[[Sequence[Probe | tuple[int, int, int]]], list[Decision]]


class Judge(Protocol):
    """Whoever decides.

    A judge that decides sets at no cost may offer ``open(question) -> Verdict`` besides, which spares the queries.
    One that keeps account of itself offers ``facts() -> Mapping``, JSON values for the record of a run.
    """

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        ...


@lru_cache
def decided(taken: Hashable, offered: tuple[Hashable, ...]) -> Decision:
    """A sure decision: the score is 1 for the action taken and 0 for every other. One object for one answer."""
    return Decision(taken, {action: float(action == taken) for action in offered})
