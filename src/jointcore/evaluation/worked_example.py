"""One condition followed through every method (paper, Table 4 and Figure 1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jointcore.bitsets import from_bytes, members
from jointcore.errors import InputError
from jointcore.logic.oracle import truth_of
from jointcore.tasks.grid import Cell
from jointcore.tasks.task import Task


def find_task(tasks: Iterable[Task], cell: Cell) -> Task:
    """The task of a grid cell.

    Raises:
        InputError: no task has these grid values.
    """
    for task in tasks:
        if task.cell == cell:
            return task
    raise InputError(f"no task has {cell}; correct worked_example in the configuration")


def worked_example(
    task: Task,
    methods: Sequence[dict[str, Any]],
    outcomes: Sequence[dict[str, Any]],
    traces: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """What every method did on the task, in plain values.

    Args:
        task: the task.
        methods: description of each method.
        outcomes: each method's row of outcomes for the task.
        traces: each method's row of the traces for it.

    Returns:
        ``condition``, ``records``, ``full_cost``, ``minimum_cost_sets`` and ``methods``, each with the
        selected ``records``, their ``cost``, ``sufficient``, ``minimum``, ``evaluations`` and ``steps``.
    """
    costs = task.question.memory.costs
    truth = truth_of(task.question)
    return {
        "condition": task.condition,
        "records": [record._asdict() for record in task.records],
        "full_cost": sum(costs),
        "minimum_cost_sets": [members(retained) for retained in truth.minimum_cost_sets],
        "methods": [
            {
                **method,
                "records": outcome["selected"],
                "cost": sum(costs[i] for i in outcome["selected"]),
                "sufficient": outcome["exact_sufficiency"],
                "minimum": outcome["valid_minimum_set"],
                "evaluations": outcome["intervention_count"],
                "steps": _steps(trace),
            }
            for method, outcome, trace in zip(methods, outcomes, traces, strict=True)
        ],
    }


def _steps(trace: dict[str, Any]) -> list[dict[str, Any]]:
    columns = [trace[name] for name in ("tested", "group", "dropped", "same")]
    return [
        {
            "tested": members(from_bytes(tested)),
            "group": members(from_bytes(group)),
            "dropped": members(from_bytes(dropped)),
            "same": same,
        }
        for tested, group, dropped, same in zip(*columns, strict=True)
    ]
