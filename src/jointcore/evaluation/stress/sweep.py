"""Runs a method through scenarios and averages what it asks and keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jointcore.evaluation.driver import drive
from jointcore.evaluation.exact import memory_of
from jointcore.evaluation.measures import measure_set
from jointcore.evaluation.stress.noise import verdicts
from jointcore.evaluation.stress.perturbation import perturbed
from jointcore.evaluation.stress.scenarios import Scenario
from jointcore.logic.oracle import Oracle, oracle
from jointcore.selection.method import TRUTH, Method
from jointcore.selection.protocol import Answer, Memory, Probe
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

_SAME = Answer(True, 1.0)
_OTHER = Answer(False, -1.0)


def outcome(
    method: Method, task: Task, memory: Memory, truth: Oracle, scenario: Scenario, settings: Mapping[str, Any]
) -> tuple[float, ...]:
    """The measures of a method on one task in one scenario.

    ``behavior``: the decision on the selected set equals that on full memory, both as decided in the scenario.
    ``exact_sufficiency`` and what follows are true by the logical rule, whatever was decided;
    ``reference_correct``: the decision on full memory is the rule's.

    Args:
        method: the method.
        task: the task.
        memory: its memory, unperturbed.
        truth: its oracle.
        scenario: the scenario.
        settings: the configured settings; the scenario's budget takes precedence.
    """
    verdict = verdicts(task, truth.sufficient, scenario.errors)
    reference = verdict(memory.everything, 0)

    def decide(probes: Sequence[Probe]) -> list[Answer]:
        return [_SAME if verdict(retained, altered) == reference else _OTHER for retained, _, altered in probes]

    parameters = {**settings, "budget": scenario.budget, TRUTH: truth.minimum_cost_sets}
    trace = drive(method.start(perturbed(memory, scenario.noise, scenario.seed), parameters), decide)
    selected = trace.selection.retained
    measured = measure_set(selected, memory.costs, truth)
    return (
        float(trace.evaluations),
        float(verdict(selected, 0) == reference),
        float(measured.exact_sufficiency),
        float(measured.valid_minimum_set),
        measured.critical_recall,
        measured.active_token_savings,
        float(reference == truth.sufficient(memory.everything)),
        float(trace.selection.budget_exhausted),
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
        memory = memory_of(task)
        truth = oracle(task.family, task.support, memory.costs)
        for position, scenario in enumerate(scenarios):
            key = (position, task.family, task.candidate_count, task.support_size)
            sums = cells.setdefault(key, [0.0] * (len(MEASURES) + 1))
            sums[0] += 1
            for i, value in enumerate(outcome(method, task, memory, truth, scenario, settings), 1):
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
