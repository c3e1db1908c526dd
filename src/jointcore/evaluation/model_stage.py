"""The model stage's primary run: methods on tasks with any decider as the judge (paper, section on the model stage)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jointcore.decisions.protocol import Decision
from jointcore.errors import InputError
from jointcore.evaluation.answers import (
    PRIMARY,
    DecisionMemo,
    answer,
    decide_terminals,
    everything,
    workflow_query,
)
from jointcore.evaluation.driver import Trace, drive, drive_lockstep
from jointcore.evaluation.exact import memory_of
from jointcore.evaluation.measures import SetMeasures, measure_set
from jointcore.evaluation.model_measures import ModelMeasures, model_measures
from jointcore.logic.oracle import Oracle, oracle
from jointcore.progress import progress
from jointcore.selection.method import TRUTH, Method
from jointcore.selection.protocol import Answer, Probe, Search
from jointcore.tasks.task import Task

_log = logging.getLogger(__name__)


class Numbered(NamedTuple):
    """A task and its position in the grid."""

    index: int
    task: Task


class Outcome(NamedTuple):
    """A method's outcome on one task.

    Attributes:
        index, task: the task and its position in the grid.
        method: slug of the method.
        trace: what the search asked, was told and selected.
        decisions: the decision behind each answer of the trace.
        reference: the decision on full memory.
        final: the decision on the selected set.
        terminal: the terminal step after it; ``None`` after an invalid decision.
        set_measures: how good the selected set is.
        measures: how the decisions went.
    """

    index: int
    task: Task
    method: str
    trace: Trace
    decisions: tuple[Decision, ...]
    reference: Decision
    final: Decision
    terminal: Decision | None
    set_measures: SetMeasures
    measures: ModelMeasures


def shard_of(tasks: Iterable[Task], shard: int, shards: int) -> list[Numbered]:
    """The tasks whose position modulo ``shards`` is ``shard``, in grid order.

    Raises:
        InputError: there is no such shard, or it holds no task.
    """
    if not 0 <= shard < shards:
        raise InputError(f"shard {shard} does not exist among {shards}; number the shards from 0")
    chosen = [Numbered(index, task) for index, task in enumerate(tasks) if index % shards == shard]
    if not chosen:
        raise InputError(f"shard {shard} of {shards} holds no task; use fewer shards")
    return chosen


def run_primary(
    memo: DecisionMemo,
    tasks: Sequence[Numbered],
    methods: Sequence[Method],
    settings: Mapping[str, Any],
    *,
    lockstep: bool = True,
    in_flight: int | None = None,
) -> list[Outcome]:
    """Run every method on every task; outcomes by task, and by method within a task.

    Full memory is decided first and is the reference. A task's retained sets are decided once, whichever
    methods ask. The terminal step is asked once for each distinct final action of a task.

    Args:
        memo: the decider behind its memo.
        tasks: the tasks of this shard.
        methods: the methods, in the order of the rows.
        settings: the settings that the methods use, see :data:`jointcore.selection.method.SETTINGS`.
        lockstep: advance all searches of all methods and tasks side by side, so that the decider sees as many
            questions at once as there are; otherwise one task at a time, one method at a time. Both give
            the same outcomes.
        in_flight: tasks that are in lockstep at once, so that what a decider keeps of one task's questions is
            there for the next; all by default.
    """
    drive_all, size = (_side_by_side, in_flight or len(tasks)) if lockstep else (_one_after_another, 1)
    groups = [tasks[start : start + size] for start in range(0, len(tasks), size or 1)]
    outcomes = []
    for group in progress(groups, len(groups), "groups of tasks") if len(groups) > 1 else groups:
        outcomes += _run(memo, group, methods, settings, drive_all)
    return outcomes


class _Conversation:
    """Searches of several tasks and the decider that answers them."""

    def __init__(self, memo: DecisionMemo, tasks: Sequence[Task], references: Sequence[Decision]) -> None:
        self._memo = memo
        self._tasks = tasks
        self._references = references

    def answers(self, asked: Sequence[tuple[int, Probe]]) -> list[Answer]:
        """Answers to pairs (index of the search, probe)."""
        queries = [workflow_query(self._tasks[i], probe.retained, altered=probe.altered) for i, probe in asked]
        decisions = self._memo.decide(queries)
        return [answer(decision, self._references[i]) for (i, _), decision in zip(asked, decisions, strict=True)]


def _run(
    memo: DecisionMemo,
    tasks: Sequence[Numbered],
    methods: Sequence[Method],
    settings: Mapping[str, Any],
    drive_all: Callable[[Sequence[Search], _Conversation], list[Trace]],
) -> list[Outcome]:
    truths = [oracle(task.family, task.support, memory_of(task).costs) for _, task in tasks]
    decided = memo.decide([workflow_query(task, everything(task)) for _, task in tasks])
    runs = [
        (numbered, truth, reference, method)
        for numbered, truth, reference in zip(tasks, truths, decided, strict=True)
        for method in methods
    ]
    searches = [
        method.start(memory_of(task), {**settings, TRUTH: truth.minimum_cost_sets})
        for (_, task), truth, _, method in runs
    ]
    talk = _Conversation(memo, [run[0].task for run in runs], [run[2] for run in runs])
    traces = drive_all(searches, talk)
    finals = memo.decide(
        [workflow_query(run[0].task, trace.selection.retained) for run, trace in zip(runs, traces, strict=True)]
    )
    terminals = decide_terminals(
        memo, [(run[0].task, final, PRIMARY.label_style) for run, final in zip(runs, finals, strict=True)]
    )
    return [
        _outcome(memo, numbered, truth, reference, method, trace, final, terminal)
        for (numbered, truth, reference, method), trace, final, terminal in zip(
            runs, traces, finals, terminals, strict=True
        )
    ]


def _one_after_another(searches: Sequence[Search], talk: _Conversation) -> list[Trace]:
    return [
        drive(search, lambda probes, i=i: talk.answers([(i, probe) for probe in probes]))
        for i, search in enumerate(searches)
    ]


def _side_by_side(searches: Sequence[Search], talk: _Conversation) -> list[Trace]:
    waves = 0

    def answers(asked: list[tuple[int, Probe]]) -> list[Answer]:
        nonlocal waves
        waves += 1
        _log.info("wave %d: %d questions of %d searches", waves, len(asked), len({i for i, _ in asked}))
        return talk.answers(asked)

    return drive_lockstep(searches, answers)


def _outcome(
    memo: DecisionMemo,
    numbered: Numbered,
    truth: Oracle,
    reference: Decision,
    method: Method,
    trace: Trace,
    final: Decision,
    terminal: Decision | None,
) -> Outcome:
    index, task = numbered
    retained = trace.selection.retained
    probes = [step.probe for step in trace.steps]
    decisions = tuple(memo.recall(workflow_query(task, probe.retained, altered=probe.altered)) for probe in probes)
    counted = [probe.retained & ~probe.altered for probe in probes]
    asked = list(zip(counted, decisions, strict=True))
    return Outcome(
        index=index,
        task=task,
        method=method.slug,
        trace=trace,
        decisions=decisions,
        reference=reference,
        final=final,
        terminal=terminal,
        set_measures=measure_set(retained, memory_of(task).costs, truth),
        measures=model_measures(task, truth, reference, asked, retained, final, terminal),
    )
