"""The exact stage: every action on every question under every budget, and where its gain over Retain comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from jointcore.consolidation.features import FEATURES, features
from jointcore.consolidation.notes import Inquiry
from jointcore.consolidation.operators import ACTIONS, SELECT, Losses, apply
from jointcore.consolidation.reader import utility
from jointcore.consolidation.selecting import select
from jointcore.parquet import read_batches, shards, write_batches

KIND = "consolidation outcomes, version 1"
#: A row a question, budget and action; the features are those of the question and budget.
SCHEMA = pa.schema(
    [
        ("question", pa.string()),
        ("type", pa.string()),
        ("budget", pa.int32()),
        ("action", pa.string()),
        ("utility", pa.float64()),
        ("retain_utility", pa.float64()),
        ("coverage", pa.float64()),
        ("replacement", pa.float64()),
        ("output_cost", pa.int32()),
        ("evidence_cost", pa.int32()),
        ("notes", pa.int32()),
        ("notes_that_fit", pa.int32()),
        ("calls", pa.int32()),
        *((name, pa.float64()) for name in FEATURES if name != "notes"),
    ]
)


def decompose(value: float, retained: float, fitting: int) -> tuple[float, float]:
    """The gain over Retain as coverage and replacement, whose sum is exactly ``value - retained`` (Proposition 1).

    Where no raw note fits, Retain misses the question, and what the record answers is coverage. Where one does, the
    record displaces it, and the gain, of either sign, is replacement.

    Args:
        value: utility of the action.
        retained: utility of Retain.
        fitting: raw notes that Retain keeps.
    """
    gain = value - retained
    return (0.0, gain) if fitting else (gain, 0.0)


def outcomes(
    inquiries: Iterable[Inquiry], budgets: Sequence[int], losses: Losses, actions: Sequence[str] = (*ACTIONS, SELECT)
) -> Iterator[dict[str, Any]]:
    """A row a question, budget and action, in this order; see :data:`SCHEMA`."""
    for inquiry in inquiries:
        for budget in budgets:
            kept = apply("retain", inquiry, budget, losses)
            retained = utility(inquiry, kept.statements)
            seen = dict(zip(FEATURES, features(inquiry, budget), strict=True))
            for action in actions:
                output, calls = (
                    select(inquiry, budget)
                    if action == SELECT
                    else (
                        apply(action, inquiry, budget, losses),
                        0 if action == "retain" else 1,
                    )
                )
                value = utility(inquiry, output.statements)
                coverage, replacement = decompose(value, retained, len(kept.kept))
                yield {
                    **seen,
                    "question": inquiry.id,
                    "type": inquiry.type,
                    "budget": budget,
                    "action": action,
                    "utility": value,
                    "retain_utility": retained,
                    "coverage": coverage,
                    "replacement": replacement,
                    "output_cost": output.cost,
                    "evidence_cost": sum(note.cost for note in inquiry.cluster),
                    "notes": len(inquiry.cluster),
                    "notes_that_fit": len(kept.kept),
                    "calls": calls,
                }


def write_outcomes(path: str | Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows of :func:`outcomes`; returns their number."""
    batches = (pa.RecordBatch.from_pylist(shard, SCHEMA) for shard in shards(rows, lambda row: 1))
    return write_batches(path, KIND, SCHEMA, batches)


def read_outcomes(path: str | Path) -> list[dict[str, Any]]:
    """The rows of a file, in their order.

    Raises:
        InputError: the file is missing, damaged, or does not hold outcomes.
    """
    return [row for batch in read_batches(path, KIND, SCHEMA) for row in batch.to_pylist()]
