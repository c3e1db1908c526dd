"""Runs methods on questions about a user's own memories, and keeps what came out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from jointcore.bitsets import bitset, members
from jointcore.decisions.protocol import Judge
from jointcore.errors import InputError
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.loop import Run, run_side_by_side, same_decision
from jointcore.evaluation.model_storage import Kind
from jointcore.own_data.questions import AskedQuestion
from jointcore.selection.catalogue import choose_methods
from jointcore.selection.method import TRUTH, Method

#: A row a question, in the order of the file; memories by id, or by number from 1 where they have none.
OWN_ROWS = Kind(
    "selections on own data, version 1",
    pa.schema(
        [
            ("question", pa.string()),
            ("method", pa.string()),
            ("candidate_count", pa.int32()),
            ("kept", pa.list_(pa.string())),
            ("dropped", pa.list_(pa.string())),
            ("decision", pa.string()),
            ("kept_decision", pa.string()),
            ("preserved", pa.bool_()),
            ("calls", pa.int32()),
            ("complete", pa.bool_()),
            ("invalid_decisions", pa.int32()),
            ("reason", pa.string()),
            ("cost", pa.float64()),
            ("cost_kept", pa.float64()),
            ("cost_saved", pa.float64()),
        ]
    ),
)


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
        return [method for method in methods if _runs(method)]
    for method in methods:
        if not _runs(method):
            raise InputError(
                f"method {method.slug} needs the benchmark's truth or altered records, which texts lack; leave it out"
            )
    return methods


def _runs(method: Method) -> bool:
    return TRUTH not in method.uses and not method.slug.startswith("cmi_")


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
    count = getattr(judge, "count_tokens", lambda text: len(text.split()))
    questions = [question.ready(count, relevance) for question in asked]
    if hasattr(judge, "check"):
        judge.check(questions)
    return run_side_by_side(
        methods, questions, DecisionMemo(judge), settings, [None] * len(questions), in_flight=in_flight
    )


def own_row(run: Run) -> dict[str, Any]:
    """A row of :data:`OWN_ROWS`."""
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


def own_case(run: Run) -> dict[str, Any]:
    """Everything that a page shows of a run, as JSON values."""
    question = run.question
    return {
        **own_row(run),
        "name": run.method.name,
        "query": question.condition.text,
        "answers": list(question.actions),
        "memories": [
            {"name": record.name, "role": record.type, "text": record.value, "cost": record.cost}
            for record in question.records
        ],
        "retained": members(run.retained),
        "calls_made": [
            {"retained": members(retained), "decision": _text(decision.action), "reason": decision.reason}
            for retained, decision in decided_sets(run)
        ],
    }


def by_method(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs of each method, by slug, in the order of the questions."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.method.slug, []).append(run)
    return found


def _text(action: Any) -> str | None:
    return None if action is None else str(action)
