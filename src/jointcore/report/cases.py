"""Recorded searches as plain cases for :mod:`jointcore.report.case_view`: the exact stage's and a model's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jointcore.bitsets import from_bytes, members
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.evaluation.exact_storage import read_outcomes, read_traces
from jointcore.evaluation.model_storage import PRIMARY_ROWS, TRACE_ROWS, read_rows
from jointcore.report.case_view import needed_sets
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.task import Task

#: Words to filter by, and the measure whose failure each names.
_FAILURES = {
    "not sufficient by the rule": "exact_sufficiency",
    "not a minimum-cost set": "valid_minimum_set",
    "decision changed": "behavioral_sufficiency",
    "final decision wrong": "final_decision_correct",
    "trajectory fails": "trajectory_success",
}
_ASKED_ALL = "stopped at its limit of evaluations"


def exact_cases(
    tasks: Iterable[Task],
    methods: Mapping[str, str],
    outcomes: Sequence[str | Path],
    traces: Sequence[str | Path],
    template: PromptTemplate,
) -> list[dict[str, Any]]:
    """The exact stage: a case a condition.

    Args:
        tasks: the tasks that are shown.
        methods: slug to name of every method, in table order.
        outcomes: each method's file of outcomes.
        traces: each method's file of traces.
        template: says the condition in words.

    Raises:
        InputError: a file is missing or damaged, or a method lacks a task.
    """
    chosen = list(tasks)
    wanted = {task.question.id for task in chosen}
    rows: dict[str, list[dict[str, Any]]] = {identity: [] for identity in wanted}
    for name, outcome_path, trace_path in zip(methods.values(), outcomes, traces, strict=True):
        found = _by_task(_rows(read_outcomes(outcome_path)), wanted)
        for trace in _by_task(_rows(read_traces(trace_path)), wanted).values():
            rows[trace["paper_task_id"]].append(_method(name, found[trace["paper_task_id"]], trace))
    return [{**_case(task, template), "methods": _complete(rows[task.question.id], methods, task)} for task in chosen]


def model_cases(
    tasks: Iterable[Task],
    methods: Mapping[str, str],
    models: Mapping[str, str],
    primary: Sequence[str | Path],
    traces: Sequence[str | Path],
    templates: Mapping[str, PromptTemplate],
) -> list[dict[str, Any]]:
    """The primary runs of models: a case a task and model, with the prompt of full memory.

    Args:
        tasks: the tasks of the model stage.
        methods: slug to name of every method, in table order.
        models: key to name of every model.
        primary: each model's ``primary.parquet``.
        traces: each model's ``traces.parquet``.
        templates: the wording for each model.

    Raises:
        InputError: a file is missing or damaged, or a model lacks a task.
    """
    known = {task.question.id: task for task in tasks}
    cases = []
    for (model, name), primary_path, trace_path in zip(models.items(), primary, traces, strict=True):
        template = templates[model]
        rows: dict[str, list[dict[str, Any]]] = {identity: [] for identity in known}
        outcomes: dict[tuple[str, str], dict[str, Any]] = {
            (row["paper_task_id"], row["method"]): row for row in read_rows(primary_path, PRIMARY_ROWS)
        }
        for trace in read_rows(trace_path, TRACE_ROWS):
            row = outcomes.get((trace["paper_task_id"], trace["method"]))
            if row is None or trace["paper_task_id"] not in known:
                raise InputError(
                    f"{trace_path} holds the task {trace['paper_task_id'][:12]}, which "
                    f"{'the benchmark' if row else primary_path} lacks; delete it and run the same command again"
                )
            rows[row["paper_task_id"]].append(_method(methods[row["method"]], row, trace))
        for identity, task in known.items():
            prompt = template.render(Query(task.question, task.question.everything))
            case = _case(task, template)
            cases.append(
                {
                    **case,
                    "title": f"{case['title']} · {name}",
                    "facets": {**case["facets"], "Model": name},
                    "details": {"Prompt, everything kept": "\n\n".join(m["content"] for m in prompt.messages)},
                    "methods": _complete(rows[identity], methods, task),
                }
            )
    return cases


def _rows(batches: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _by_task(rows: Iterable[dict[str, Any]], wanted: set[str]) -> dict[str, dict[str, Any]]:
    return {row["paper_task_id"]: row for row in rows if row["paper_task_id"] in wanted}


def _complete(found: list[dict[str, Any]], methods: Mapping[str, str], task: Task) -> list[dict[str, Any]]:
    """The methods of a task in table order."""
    by_name = {method["name"]: method for method in found}
    missing = [name for name in methods.values() if name not in by_name]
    if missing:
        raise InputError(
            f"the traces of {missing[0]} lack the task {task.condition}; delete them and run the same command again"
        )
    return [by_name[name] for name in methods.values()]


def _case(task: Task, template: PromptTemplate) -> dict[str, Any]:
    cell, family = task.cell, FAMILIES[task.family].name
    place = f"n={cell.candidate_count} s={cell.support_size} h={cell.horizon_label} b={cell.seed_block}"
    rule = template.condition(task.question)
    return {
        "title": f"{family} · {cell.domain} · {place}",
        "condition": f"{task.question.condition.action} if and only if {rule} ({task.condition})",
        "facets": {"Family": family, "n": cell.candidate_count, "Domain": cell.domain},
        "records": [
            {
                "id": record.id,
                "text": f"{record.name}: {record.type}={record.value}",
                "cost": record.cost,
                "relevance": record.relevance,
            }
            for record in task.records
        ],
    }


def _method(name: str, outcome: Mapping[str, Any], trace: Mapping[str, Any]) -> dict[str, Any]:
    steps = _steps(trace)
    marks = [word for word, measure in _FAILURES.items() if outcome.get(measure) is False]
    if outcome["budget_exhausted"]:
        marks.append(_ASKED_ALL)
    # A set that is kept but never decided the same is no evidence that its records are needed.
    kept_whole = outcome.get("behavioral_sufficiency", outcome["exact_sufficiency"])
    return {
        "name": name,
        "kept": outcome["selected"],
        "calls": outcome["intervention_count"],
        "decision": outcome.get("final_action"),
        "marks": marks,
        "needed": needed_sets(outcome["selected"], steps) if kept_whole else {},
        "steps": steps,
    }


def _steps(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    actions = trace.get("action")
    # Only a model has margins; those of the logical rule are all 1 or -1.
    return [
        {
            "tested": members(from_bytes(tested)),
            "group": members(from_bytes(group)),
            "dropped": members(from_bytes(dropped)),
            "same": same,
            "margin": margin if actions else None,
            "decision": actions[position] if actions else None,
        }
        for position, (tested, group, dropped, same, margin) in enumerate(
            zip(*(trace[key] for key in ("tested", "group", "dropped", "same", "margin")), strict=True)
        )
    ]
