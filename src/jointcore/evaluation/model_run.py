"""One job of the model stage: a model's shard, primary run and robustness with one judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from jointcore.decisions.protocol import Judge
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_rows import Model, primary_row, robustness_row, trace_of
from jointcore.evaluation.model_stage import Outcome, run_primary, shard_of
from jointcore.evaluation.model_storage import PRIMARY_ROWS, ROBUSTNESS_ROWS, TRACE_ROWS, write_rows
from jointcore.evaluation.robustness import Redecision, check_methods, full_cross, run_robustness, selected_sets
from jointcore.selection.method import Method
from jointcore.tasks.subsets import robustness_subset
from jointcore.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Robustness:
    """What the robustness stage decides again.

    Attributes:
        stride: every ``stride``-th task of the grid from the first on.
        methods: slugs of the methods whose sets are decided.
        interfaces, label_styles: the cells are their full cross.
    """

    stride: int
    methods: Sequence[str]
    interfaces: Sequence[str]
    label_styles: Sequence[str]


class ShardRun(NamedTuple):
    """What a job finds out.

    Attributes:
        outcomes: the primary run.
        redecisions: robustness.
        questions: what was asked: ``questions`` in all, ``distinct`` among them, ``invalid`` among these.
    """

    outcomes: list[Outcome]
    redecisions: list[Redecision]
    questions: dict[str, int]


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """What a job does.

    Attributes:
        shard, shards: this shard and their number; it holds every task whose position modulo ``shards`` is it.
        methods: the methods, in the order of the rows.
        settings: the settings that the methods use.
        robustness: what is decided again.
        in_flight: see :func:`jointcore.evaluation.loop.run_side_by_side`.
    """

    shard: int
    shards: int
    methods: Sequence[Method]
    settings: Mapping[str, Any]
    robustness: Robustness
    in_flight: int | None = None


def run_shard(judge: Judge, tasks: Sequence[Task], plan: ShardPlan) -> ShardRun:
    """Run all methods on a shard of the tasks, then decide the selected sets again.

    Args:
        judge: who decides.
        tasks: all tasks of the grid, in grid order.
        plan: which of them, and how.

    Raises:
        InputError: no such shard, an unknown cell, or robustness of a method that is not run; before any question.
    """
    again = plan.robustness
    readings = full_cross(again.interfaces, again.label_styles)
    check_methods(again.methods, [method.slug for method in plan.methods])
    own = shard_of(tasks, plan.shard, plan.shards)
    memo = DecisionMemo(judge)
    outcomes = run_primary(memo, own, plan.methods, plan.settings, plan.in_flight)
    ids = {task.question.id for task in robustness_subset(list(tasks), again.stride)}
    redecisions = run_robustness(memo, selected_sets(outcomes, again.methods, ids), readings)
    return ShardRun(outcomes, redecisions, memo.counts())


def write_shard(run: ShardRun, model: Model, primary: str | Path, traces: str | Path, robustness: str | Path) -> None:
    """Write what a job found out, each file whole or not at all."""
    write_rows(primary, PRIMARY_ROWS, (primary_row(model, outcome) for outcome in run.outcomes))
    write_rows(traces, TRACE_ROWS, (trace_of(model, outcome) for outcome in run.outcomes))
    write_rows(robustness, ROBUSTNESS_ROWS, (robustness_row(model, cell) for cell in run.redecisions))
