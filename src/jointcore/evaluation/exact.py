"""The exact stage: a method on a task with the logical rule as the judge (paper, section on the exact stage)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.evaluation.driver import Trace
from jointcore.evaluation.loop import run_method
from jointcore.evaluation.measures import SetMeasures, measure_set
from jointcore.logic.oracle import truth_of
from jointcore.selection.method import Method
from jointcore.tasks.task import Task


class ExactOutcome(NamedTuple):
    """A method's outcome on one task: what it asked, what it selected, how good that is."""

    task: Task
    trace: Trace
    measures: SetMeasures


def evaluate_task(method: Method, task: Task, settings: Mapping[str, Any]) -> ExactOutcome:
    """Run a method on one task; full memory, which is always sufficient, is the reference.

    Args:
        method: the method.
        task: the task.
        settings: the configured settings that the method uses, see :data:`jointcore.selection.method.SETTINGS`.
    """
    question = task.question
    truth = truth_of(question)
    run = run_method(method, question, LogicalRule(), settings, truth)
    return ExactOutcome(task, run.trace, measure_set(run.retained, question.memory.costs, truth))


def evaluate_tasks(method: Method, tasks: Iterable[Task], settings: Mapping[str, Any]) -> Iterator[ExactOutcome]:
    """Run a method on tasks, in their order, one at a time."""
    for task in tasks:
        yield evaluate_task(method, task, settings)
