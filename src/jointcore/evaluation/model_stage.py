"""The model stage's primary run: methods on tasks with any judge (paper, section on the model stage)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jointcore.decisions.protocol import Decision, Judge
from jointcore.errors import InputError
from jointcore.evaluation.answers import PRIMARY, decide_terminals
from jointcore.evaluation.loop import Run, run_side_by_side
from jointcore.evaluation.measures import SetMeasures, measure_set
from jointcore.evaluation.model_measures import ModelMeasures, model_measures
from jointcore.logic.oracle import truth_of
from jointcore.selection.method import Method
from jointcore.tasks.task import Task


class Numbered(NamedTuple):
    """A task and its position in the grid."""

    index: int
    task: Task


class Outcome(NamedTuple):
    """A method's outcome on one task.

    Attributes:
        index, task: the task and its position in the grid.
        run: what the method did.
        terminal: the terminal step after the final decision; ``None`` after an invalid decision.
        set_measures: how good the selected set is.
        measures: how the decisions went.
    """

    index: int
    task: Task
    run: Run
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
    judge: Judge,
    tasks: Sequence[Numbered],
    methods: Sequence[Method],
    settings: Mapping[str, Any],
    in_flight: int | None = None,
) -> list[Outcome]:
    """Run every method on every task; outcomes by task, and by method within a task.

    Full memory is decided first and is the reference. The terminal step is asked after each final decision.

    Args:
        judge: the judge, behind a :class:`jointcore.evaluation.answers.DecisionMemo`, so that what methods and
            tasks have in common is asked once.
        tasks: the tasks of this shard.
        methods: the methods, in the order of the rows.
        settings: the settings that the methods use, see :data:`jointcore.selection.method.SETTINGS`.
        in_flight: see :func:`jointcore.evaluation.loop.run_side_by_side`.
    """
    questions = [task.question for _, task in tasks]
    truths = list(map(truth_of, questions))
    runs = run_side_by_side(methods, questions, judge, settings, truths, in_flight=in_flight)
    terminals = decide_terminals(judge, [(run.question, run.final, PRIMARY.label_style) for run in runs])
    places = [(numbered, truth) for numbered, truth in zip(tasks, truths, strict=True) for _ in methods]
    return [
        Outcome(
            *numbered,
            run,
            terminal,
            measure_set(run.retained, run.question.memory.costs, truth),
            model_measures(run, truth, terminal),
        )
        for (numbered, truth), run, terminal in zip(places, runs, terminals, strict=True)
    ]
