"""Runs methods on questions about a user's own memories, and keeps what came out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jointcore.bitsets import bitset, members
from jointcore.decisions.protocol import Judge
from jointcore.errors import InputError
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.loop import Run, run_side_by_side, same_decision
from jointcore.memories.preparing import unusable, usable_method
from jointcore.own_data.questions import AskedQuestion
from jointcore.report.case_view import needed_sets
from jointcore.selection.catalogue import choose_methods
from jointcore.selection.method import Method


def own_methods(wanted: str | Sequence[str]) -> list[Method]:
    """The methods that a configuration asks for; those alone that can run without the truth about a question.

    Raises:
        InputError: a method is unknown, named twice, needs the truth, or shows altered records.
    """
    try:
        methods = choose_methods(wanted)
    except ValueError as error:
        raise InputError(str(error)) from None
    if isinstance(wanted, str):
        return [method for method in methods if unusable(method) is None]
    for method in methods:
        usable_method(method.slug)
    return methods


def select_own(
    judge: Judge,
    asked: Sequence[AskedQuestion],
    methods: Sequence[Method],
    settings: Mapping[str, Any],
    relevance: str | None,
    in_flight: int | None = None,
) -> list[Run]:
    """Run every method on every question, all side by side; a set that several methods ask is decided once.

    Args:
        judge: who decides; one of text memories checks the questions first and says what a text costs.
        asked: the questions.
        methods: the methods.
        settings: the settings that the methods use.
        relevance: see :meth:`AskedQuestion.ready`.
        in_flight: questions that are advanced side by side; all by default.

    Raises:
        InputError: see :meth:`AskedQuestion.ready`; or what the judge finds wrong with a question before it is asked.
    """
    questions = [question.ready(getattr(judge, "count_tokens", None), relevance) for question in asked]
    if hasattr(judge, "check"):
        judge.check(questions)
    return run_side_by_side(
        methods, questions, DecisionMemo(judge), settings, [None] * len(questions), in_flight=in_flight
    )


def own_row(run: Run) -> dict[str, Any]:
    """A row of :data:`jointcore.own_data.rows.OWN_ROWS`."""
    question, retained = run.question, run.retained
    names = [record.name for record in question.records]
    kept = members(retained)
    cost = sum(record.cost for record in question.records)
    cost_kept = sum(question.records[i].cost for i in kept)
    invalid = [decision for decision in (run.reference, *run.decisions, run.final) if not decision.valid]
    return {
        "question": question.id,
        "method": run.method.slug,
        "candidate_count": len(names),
        "kept": [names[i] for i in kept],
        "dropped": [name for i, name in enumerate(names) if not retained >> i & 1],
        "decision": _text(run.reference.action),
        "kept_decision": _text(run.final.action),
        "preserved": same_decision(run.final, run.reference),
        "calls": len(decided_sets(run)),
        "complete": run.reference.valid and not run.trace.selection.budget_exhausted,
        "invalid_decisions": len(invalid),
        "reason": invalid[0].reason if invalid else "",
        "cost": float(cost),
        "cost_kept": float(cost_kept),
        "cost_saved": float(cost - cost_kept),
    }


def decided_sets(run: Run) -> list[tuple[int, Any]]:
    """Pairs (retained set, decision) of a run, each set once: full memory, what was asked, and the selected set."""
    full = bitset(range(len(run.question.records)))
    asked = [(full, run.reference)]
    asked += [(step.probe.retained, decision) for step, decision in zip(run.trace.steps, run.decisions, strict=True)]
    return list(dict([*asked, (run.retained, run.final)]).items())


def own_cases(runs: Iterable[Run]) -> list[dict[str, Any]]:
    """A case a question as :mod:`jointcore.report.case_view` shows it, with every method that was run on it."""
    cases: dict[str, dict[str, Any]] = {}
    for run in runs:
        question = run.question
        case = cases.setdefault(
            question.id,
            {
                "title": question.id,
                "query": question.condition.text,
                "facets": {"Decision on full memory": _text(run.reference.action) or "invalid"},
                "records": [
                    {"id": record.name, "text": record.value, "cost": record.cost, "relevance": record.relevance}
                    for record in question.records
                ],
                "methods": [],
            },
        )
        case["methods"].append(_method(run))
    return list(cases.values())


def _method(run: Run) -> dict[str, Any]:
    row, names = own_row(run), [record.name for record in run.question.records]

    def ids(records: int) -> list[str]:
        return [names[i] for i in members(records)]

    steps = [
        {
            "tested": ids(probe.retained),
            "group": ids(probe.group),
            "dropped": ids(dropped),
            "same": answer.same,
            "margin": answer.margin if decision.valid else None,
            "decision": _text(decision.action) or f"invalid: {decision.reason}",
        }
        for (probe, answer), dropped, decision in zip(run.trace.steps, run.trace.dropped(), run.decisions, strict=True)
    ]
    marks = {"decision changed": not row["preserved"], "not complete": not row["complete"]}
    return {
        "name": run.method.name,
        "kept": row["kept"],
        "calls": row["calls"],
        "decision": row["kept_decision"],
        "needed": needed_sets(row["kept"], steps) if row["preserved"] else {},
        "steps": steps,
        "marks": [mark for mark, found in marks.items() if found],
    }


def by_method(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs of each method, by slug, in the order of the questions."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.method.slug, []).append(run)
    return found


def _text(action: Any) -> str | None:
    return None if action is None else str(action)
