"""Measures that need a decider's decisions (paper, sections on measures and on the model stage)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jointcore.decisions.judges.logical import other_action
from jointcore.decisions.protocol import TERMINAL, Decision
from jointcore.evaluation.answers import same_decision
from jointcore.logic.oracle import Oracle
from jointcore.tasks.task import Task


class ModelMeasures(NamedTuple):
    """How a method's run with a decider went; an invalid decision is wrong and stays in every denominator.

    Attributes:
        behavioral_sufficiency: the decision on the selected set equals the one on full memory.
        final_decision_correct: the decision on the selected set is what the rule says for that set.
        trajectory_success: that decision and the terminal step after it are correct.
        selection_accuracy: share of the search's decisions that are what the rule says for the set that they
            were asked about; ``None`` for a search that asks nothing.
        satisfied_share: share of the search's decisions that take the condition as satisfied (YES), invalid ones
            counted as not; ``None`` for a search that asks nothing.
        invalid_decisions: how many of the search's decisions, the final decision and the terminal step are
            invalid (a final set that the search had asked about counts in both places).
        control_accuracy: full memory is decided as the rule says.
        invalid_reason: why the first of the invalid decisions is invalid; empty if none is.
    """

    behavioral_sufficiency: bool
    final_decision_correct: bool
    trajectory_success: bool
    selection_accuracy: float | None
    satisfied_share: float | None
    invalid_decisions: int
    control_accuracy: bool
    invalid_reason: str


def rule_action(task: Task, truth: Oracle, counted: int) -> str:
    """The workflow action that the rule takes when exactly these records count."""
    return task.satisfied_action if truth.sufficient(counted) else other_action(task.satisfied_action)


def decided_right(decision: Decision, task: Task, truth: Oracle, counted: int) -> bool:
    """Whether a workflow decision is what the rule says when exactly these records count."""
    return decision.action == rule_action(task, truth, counted)


def terminal_right(decision: Decision, terminal: Decision | None) -> bool:
    """Whether the terminal step follows its workflow decision; there is none after an invalid decision."""
    return terminal is not None and decision.valid and terminal.action == TERMINAL[decision.action]


def model_measures(
    task: Task,
    truth: Oracle,
    reference: Decision,
    asked: Sequence[tuple[int, Decision]],
    retained: int,
    final: Decision,
    terminal: Decision | None,
) -> ModelMeasures:
    """The measures of one method on one task.

    Args:
        task: the task.
        truth: its oracle.
        reference: the decision on full memory.
        asked: what the search asked, in order: pairs (the records that count, the decision).
        retained: the selected set.
        final: the decision on it.
        terminal: the terminal step after that decision; ``None`` if the decision is invalid.
    """
    right = sum(decided_right(decision, task, truth, counted) for counted, decision in asked)
    satisfied = sum(decision.action == task.satisfied_action for _, decision in asked)
    everything = [*(decision for _, decision in asked), final, *([terminal] if terminal else [])]
    invalid = [decision for decision in everything if not decision.valid]
    correct = decided_right(final, task, truth, retained)
    return ModelMeasures(
        behavioral_sufficiency=same_decision(final, reference),
        final_decision_correct=correct,
        trajectory_success=correct and terminal_right(final, terminal),
        selection_accuracy=right / len(asked) if asked else None,
        satisfied_share=satisfied / len(asked) if asked else None,
        invalid_decisions=len(invalid),
        control_accuracy=reference.action == task.satisfied_action,
        invalid_reason=invalid[0].reason if invalid else "",
    )
