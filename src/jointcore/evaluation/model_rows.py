"""Outcomes of the model stage as rows of its files, see ``jointcore.evaluation.model_storage``."""

from __future__ import annotations

from typing import Any, NamedTuple

from jointcore.bitsets import members
from jointcore.evaluation.answers import finite
from jointcore.evaluation.exact_storage import trace_row
from jointcore.evaluation.model_stage import Outcome
from jointcore.evaluation.robustness import Redecision
from jointcore.evaluation.transfer import Transfer
from jointcore.tasks.task import Task


class Model(NamedTuple):
    """Who decided.

    Attributes:
        key: the model's key in the registry.
        role: ``registered``, ``exploratory`` or ``local``; rows of local demonstrations stay apart from the others.
    """

    key: str
    role: str


def primary_row(model: Model, outcome: Outcome) -> dict[str, Any]:
    """An outcome of the primary run as a row of ``PRIMARY_ROWS``."""
    run, terminal = outcome.run, outcome.terminal
    reference, final = run.reference, run.final
    return {
        **_common(model, outcome.index, outcome.task, run.method.slug),
        "selected": members(run.retained),
        **outcome.set_measures._asdict(),
        **outcome.measures._asdict(),
        "intervention_count": run.trace.evaluations,
        "budget_exhausted": run.trace.selection.budget_exhausted,
        "reference_action": reference.action,
        "final_action": final.action,
        "terminal_action": terminal and terminal.action,
        "reference_margin": finite(reference.margin(reference.action)),
        "final_margin": finite(final.margin(reference.action)),
        "terminal_margin": terminal and finite(terminal.margin(terminal.action)),
    }


def trace_of(model: Model, outcome: Outcome) -> dict[str, Any]:
    """What a search asked and was told as a row of ``TRACE_ROWS``; a margin is null if a decision is invalid."""
    row = trace_row(outcome.task.question.id, outcome.task.candidate_count, outcome.run.trace)
    return {
        **_common(model, outcome.index, outcome.task, outcome.run.method.slug),
        **row,
        "margin": [finite(margin) for margin in row["margin"]],
        "action": [decision.action for decision in outcome.run.decisions],
    }


def robustness_row(model: Model, outcome: Redecision) -> dict[str, Any]:
    """A selected set in one cell as a row of ``ROBUSTNESS_ROWS``."""
    selected, reference, final, invalid = outcome.selected, outcome.reference, outcome.final, outcome.invalid
    return {
        **_common(model, selected.index, selected.task, selected.method),
        **outcome.reading._asdict(),
        "selected": members(selected.retained),
        "trajectory_success": outcome.trajectory_success,
        "agrees_with_primary": outcome.agrees_with_primary,
        "behavioral_sufficiency": outcome.behavioral_sufficiency,
        "final_decision_correct": outcome.final_decision_correct,
        "invalid_decisions": len(invalid),
        "primary_action": selected.action,
        "reference_action": reference.action,
        "action": final.action,
        "terminal_action": outcome.terminal and outcome.terminal.action,
        "reference_margin": finite(reference.margin(reference.action)),
        "margin": finite(final.margin(reference.action)),
        "invalid_reason": invalid[0].reason if invalid else "",
    }


def transfer_row(role: str, outcome: Transfer) -> dict[str, Any]:
    """A set carried from one model to another as a row of ``TRANSFER_ROWS``."""
    return {
        **_common(Model(outcome.target, role), outcome.index, outcome.task, outcome.method),
        "source": outcome.source,
        "target": outcome.target,
        "selected": members(outcome.retained),
        "behavior_retained": outcome.behavior_retained,
        "final_decision_correct": outcome.final_decision_correct,
        "reference_action": outcome.reference_action,
        "action": outcome.action,
        "margin": outcome.margin,
        "reused": outcome.reused,
    }


def _common(model: Model, index: int, task: Task, method: str) -> dict[str, Any]:
    return {"model": model.key, **task.columns(), "method": method, "role": model.role, "task_index": index}
