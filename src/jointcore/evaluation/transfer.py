"""Cross-model transfer: sets selected with one model, decided by another (paper, protocol; off in its cohort)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jointcore.bitsets import bitset
from jointcore.decisions.protocol import Judge, Query
from jointcore.errors import InputError
from jointcore.evaluation.answers import finite
from jointcore.evaluation.model_measures import decided_right
from jointcore.logic.oracle import truth_of
from jointcore.tasks.task import Task


class Transfer(NamedTuple):
    """A set selected with a source model, decided by a target model.

    Attributes:
        source, target: keys of the two models.
        index, task: the task and its position in the grid.
        method: slug of the method that selected the set.
        retained: the set.
        reference_action: the target's own action on full memory; ``None`` if that decision is invalid.
        action: the target's action on the set; ``None`` if that decision is invalid.
        margin: by how much the target's reference action beats the other one on the set; ``None`` if either
            decision is invalid.
        behavior_retained: both decisions are valid and equal.
        final_decision_correct: the action is what the rule says for the set.
        reused: taken from the target's primary run (the diagonal), not asked.
    """

    source: str
    target: str
    index: int
    task: Task
    method: str
    retained: int
    reference_action: str | None
    action: str | None
    margin: float | None
    behavior_retained: bool
    final_decision_correct: bool
    reused: bool


def run_transfer(
    judge: Judge,
    target: str,
    tasks: Sequence[Task],
    primary: Mapping[str, Iterable[Mapping[str, Any]]],
    methods: Sequence[str],
) -> list[Transfer]:
    """Let one model decide the sets of all; outcomes by source in the given order, then as in its primary run.

    Args:
        judge: the target's judge.
        target: key of the target model, one of ``primary``.
        tasks: all tasks of the model grid, in grid order.
        primary: rows of the primary run of every model (see ``jointcore.evaluation.model_storage``), by key.
        methods: whose sets are carried over.

    Raises:
        InputError: a model lacks a method or a task that the others have.
    """
    rows = {model: [row for row in every if row["method"] in methods] for model, every in primary.items()}
    _check_complete(rows, tasks, methods)
    by_index = dict(enumerate(tasks))
    references = {row["task_index"]: row["reference_action"] for row in rows[target]}
    outcomes = []
    for source, chosen in rows.items():
        if source == target:
            outcomes += [_reused(row, target, by_index) for row in chosen]
        else:
            outcomes += _carried(judge, source, target, chosen, by_index, references)
    return outcomes


def _carried(
    judge: Judge,
    source: str,
    target: str,
    rows: Sequence[Mapping[str, Any]],
    tasks: Mapping[int, Task],
    references: Mapping[int, str | None],
) -> list[Transfer]:
    sets = [bitset(row["selected"]) for row in rows]
    queries = [Query(tasks[row["task_index"]].question, retained) for row, retained in zip(rows, sets, strict=True)]
    outcomes = []
    for row, retained, decision in zip(rows, sets, judge.decide(queries), strict=True):
        task = tasks[row["task_index"]]
        reference = references[row["task_index"]]
        outcomes.append(
            Transfer(
                source=source,
                target=target,
                index=row["task_index"],
                task=task,
                method=row["method"],
                retained=retained,
                reference_action=reference,
                action=decision.action,
                margin=finite(decision.margin(reference)),
                behavior_retained=decision.valid and decision.action == reference,
                final_decision_correct=decided_right(decision, task.question, truth_of(task.question), retained),
                reused=False,
            )
        )
    return outcomes


def _reused(row: Mapping[str, Any], target: str, tasks: Mapping[int, Task]) -> Transfer:
    return Transfer(
        source=target,
        target=target,
        index=row["task_index"],
        task=tasks[row["task_index"]],
        method=row["method"],
        retained=bitset(row["selected"]),
        reference_action=row["reference_action"],
        action=row["final_action"],
        margin=row["final_margin"],
        behavior_retained=row["behavioral_sufficiency"],
        final_decision_correct=row["final_decision_correct"],
        reused=True,
    )


def _check_complete(rows: Mapping[str, list], tasks: Sequence[Task], methods: Sequence[str]) -> None:
    expected = {(i, task.question.id, method) for i, task in enumerate(tasks) for method in methods}
    for model, chosen in rows.items():
        found = {(row["task_index"], row["paper_task_id"], row["method"]) for row in chosen}
        if found != expected:
            index, task_id, method = min(found ^ expected)
            raise InputError(
                f"model {model}: the primary run and the model grid differ at task {index} ({task_id[:12]}), method "
                f"{method}; run the model's primary stage again for this grid and these methods"
            )
