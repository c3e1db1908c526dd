"""Measures that need a judge's decisions (paper, sections on measures and on the model stage)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from jointcore.decisions.judges.logical_rule import other_action
from jointcore.decisions.protocol import Decision
from jointcore.evaluation.loop import Run, same_decision
from jointcore.logic.oracle import Oracle
from jointcore.tasks.question import Question


class ModelMeasures(NamedTuple):
    """How a method's run with a judge went; an invalid decision is wrong and stays in every denominator.

    What needs a truth is ``None`` without one.

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
    final_decision_correct: bool | None
    trajectory_success: bool | None
    selection_accuracy: float | None
    satisfied_share: float | None
    invalid_decisions: int
    control_accuracy: bool | None
    invalid_reason: str


def rule_action(question: Question, truth: Oracle, counted: int) -> Hashable:
    """The action that the rule takes when exactly these records count."""
    return question.condition.action if truth.sufficient(counted) else other_action(question)


def decided_right(decision: Decision, question: Question, truth: Oracle | None, counted: int) -> bool | None:
    """Whether a decision is what the rule says when exactly these records count; ``None`` without a truth."""
    return None if truth is None else decision.action == rule_action(question, truth, counted)


def succeeded(correct: bool | None, question: Question, decision: Decision, terminal: Decision | None) -> bool | None:
    """Whether a decision and its terminal step are correct; ``None`` where that of the decision is not known.

    There is no terminal step after an invalid decision.
    """
    if not correct:
        return correct
    return terminal is not None and terminal.action == question.terminal_after(decision.action)


def model_measures(run: Run, truth: Oracle | None, terminal: Decision | None) -> ModelMeasures:
    """The measures of one method on one question.

    Args:
        run: the method's run.
        truth: what is true of the question, if that is known.
        terminal: the terminal step after the final decision; ``None`` if there is none.
    """
    question, decisions, final = run.question, run.decisions, run.final
    satisfied = question.condition.action
    invalid = [one for one in (*decisions, final, terminal) if one is not None and not one.valid]
    correct = decided_right(final, question, truth, run.retained)
    right = [
        decided_right(decision, question, truth, probe.retained & ~probe.altered)
        for decision, probe in zip(decisions, run.trace.probes, strict=True)
    ]
    return ModelMeasures(
        behavioral_sufficiency=same_decision(final, run.reference),
        final_decision_correct=correct,
        trajectory_success=succeeded(correct, question, final, terminal),
        selection_accuracy=_share(right) if truth is not None else None,
        satisfied_share=_share([one.action == satisfied for one in decisions]) if satisfied is not None else None,
        invalid_decisions=len(invalid),
        control_accuracy=None if truth is None else run.reference.action == satisfied,
        invalid_reason=invalid[0].reason if invalid else "",
    )


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None
