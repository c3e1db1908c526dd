"""Runs a method through scenarios and averages what it asks and keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jointcore.decisions.judges.noisy_rule import NoisyRule
from jointcore.evaluation.loop import run_method, same_decision
from jointcore.evaluation.measures import measure_set
from jointcore.evaluation.model_measures import rule_action
from jointcore.evaluation.stress.perturbation import perturbed
from jointcore.evaluation.stress.scenarios import Scenario
from jointcore.logic.oracle import Oracle, truth_of
from jointcore.selection.method import Method
from jointcore.tasks.question import Question
from jointcore.tasks.task import Task

#: What is averaged, in the order of :func:`outcome`.
MEASURES = (
    "evaluations",
    "behavior",
    "exact_sufficiency",
    "valid_minimum_set",
    "critical_recall",
    "active_token_savings",
    "reference_correct",
    "budget_exhausted",
)


def outcome(
    method: Method, question: Question, truth: Oracle, scenario: Scenario, settings: Mapping[str, Any]
) -> tuple[float, ...]:
    """The measures of a method on one question in one scenario.

    ``behavior``: the decision on the selected set equals that on full memory, both as decided in the scenario.
    ``exact_sufficiency`` and what follows are true by the logical rule, whatever was decided;
    ``reference_correct``: the decision on full memory is the rule's.

    Args:
        method: the method.
        question: the question.
        truth: what is true of it.
        scenario: the scenario.
        settings: the configured settings; the scenario's budget takes precedence.
    """
    memory = question.memory
    seen = perturbed(memory, scenario.noise, scenario.seed)
    run = run_method(method, question, NoisyRule(scenario.errors), {**settings, "budget": scenario.budget}, truth, seen)
    measured = measure_set(run.retained, memory.costs, truth)
    return (
        float(run.trace.evaluations),
        float(same_decision(run.final, run.reference)),
        float(measured.exact_sufficiency),
        float(measured.valid_minimum_set),
        measured.critical_recall,
        measured.active_token_savings,
        float(run.reference.action == rule_action(question, truth, memory.everything)),
        float(run.trace.selection.budget_exhausted),
    )


def sweep(
    method: Method, tasks: Iterable[Task], scenarios: Sequence[Scenario], settings: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Run a method on every task in every scenario, task by task.

    Args:
        method: the method.
        tasks: the tasks.
        scenarios: the scenarios.
        settings: the configured settings that the method uses.

    Returns:
        A row a scenario, family, n and support size, see :data:`jointcore.evaluation.stress.storage.SCHEMA`, in the
        order of the scenarios and then of first appearance.
    """
    cells: dict[tuple, list[float]] = {}
    for task in tasks:
        truth = truth_of(task.question)
        for position, scenario in enumerate(scenarios):
            key = (position, task.family, task.candidate_count, task.cell.support_size)
            sums = cells.setdefault(key, [0.0] * (len(MEASURES) + 1))
            sums[0] += 1
            for i, value in enumerate(outcome(method, task.question, truth, scenario, settings), 1):
                sums[i] += value
    for (position, family, count, size), (conditions, *sums) in sorted(cells.items(), key=lambda cell: cell[0][0]):
        scenario = scenarios[position]
        yield {
            "method": method.slug,
            "level": scenario.label,
            "budget": scenario.budget,
            "noise": str(scenario.noise),
            "error_rate": scenario.errors.of(family),
            "seed": scenario.seed,
            "family": family,
            "candidate_count": count,
            "support_size": size,
            "conditions": int(conditions),
            **{measure: total / conditions for measure, total in zip(MEASURES, sums, strict=True)},
        }
