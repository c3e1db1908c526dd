"""The exact stage: a method on a task with the logical rule as the judge (paper, section on the exact stage)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jointcore.evaluation.driver import Trace, drive
from jointcore.evaluation.measures import SetMeasures, measure_set
from jointcore.logic.oracle import oracle
from jointcore.selection.method import TRUTH, Method
from jointcore.selection.protocol import Answer, Memory, Probe
from jointcore.tasks.task import Task

_SAME = Answer(True, 1.0)
_OTHER = Answer(False, -1.0)


class ExactOutcome(NamedTuple):
    """A method's outcome on one task: what it asked, what it selected, how good that is."""

    task: Task
    trace: Trace
    measures: SetMeasures


def memory_of(task: Task) -> Memory:
    """What a search may see of a task."""
    return Memory(
        task.paper_task_id,
        tuple(record.cost for record in task.records),
        tuple(record.relevance for record in task.records),
    )


def evaluate_task(method: Method, task: Task, settings: Mapping[str, Any]) -> ExactOutcome:
    """Run a method on one task; full memory, which is always sufficient, is the reference.

    Args:
        method: the method.
        task: the task.
        settings: the configured settings that the method uses, see :data:`jointcore.selection.method.SETTINGS`.
    """
    memory = memory_of(task)
    truth = oracle(task.family, task.support, memory.costs)
    sufficient = truth.sufficient

    def decide(probes: Sequence[Probe]) -> list[Answer]:
        return [_SAME if sufficient(retained & ~altered) else _OTHER for retained, _, altered in probes]

    search = method.start(memory, {**settings, TRUTH: truth.minimum_cost_sets})
    trace = drive(search, decide)
    return ExactOutcome(task, trace, measure_set(trace.selection.retained, memory.costs, truth))


def evaluate_tasks(method: Method, tasks: Iterable[Task], settings: Mapping[str, Any]) -> Iterator[ExactOutcome]:
    """Run a method on tasks, in their order, one at a time."""
    for task in tasks:
        yield evaluate_task(method, task, settings)
