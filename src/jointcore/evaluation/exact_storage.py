"""Outcomes of the exact stage as Parquet, one row a condition in grid order (schema: ``docs/exact_stage.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from jointcore.bitsets import members, packed
from jointcore.evaluation.driver import Trace
from jointcore.evaluation.exact import ExactOutcome
from jointcore.evaluation.measure_catalogue import EXACT_MEASURES
from jointcore.parquet import batch_writer, read_batches, shards

KIND = "exact-stage outcomes, version 1"
TRACE_KIND = "traces, version 1"

SCHEMA = pa.schema(
    [
        ("paper_task_id", pa.string()),
        ("domain", pa.string()),
        ("family", pa.string()),
        ("candidate_count", pa.int32()),
        ("support_size", pa.int32()),
        ("horizon_label", pa.int32()),
        ("seed_block", pa.int32()),
        ("selected", pa.list_(pa.int32())),
        *((key, measure.type) for key, measure in EXACT_MEASURES.items()),
    ]
)

#: One entry of each list an evaluation; sets are little-endian bitsets, see ``jointcore.bitsets.from_bytes``.
TRACE_SCHEMA = pa.schema(
    [
        ("paper_task_id", pa.string()),
        ("candidate_count", pa.int32()),
        ("tested", pa.list_(pa.binary())),
        ("group", pa.list_(pa.binary())),
        ("altered", pa.list_(pa.binary())),
        ("same", pa.list_(pa.bool_())),
        ("margin", pa.list_(pa.float64())),
        ("dropped", pa.list_(pa.binary())),
    ]
)


def write_outcomes(path: str | Path, trace_path: str | Path, outcomes: Iterable[ExactOutcome]) -> int:
    """Write outcomes and their traces, streamed, each file whole or not at all; returns their number."""
    count = 0
    with (
        batch_writer(path, KIND, SCHEMA) as write,
        batch_writer(trace_path, TRACE_KIND, TRACE_SCHEMA) as write_trace,
    ):
        for shard in shards(outcomes, _weight):
            write(pa.RecordBatch.from_pylist([_row(outcome) for outcome in shard], SCHEMA))
            rows = [trace_row(o.task.question.id, o.task.candidate_count, o.trace) for o in shard]
            write_trace(pa.RecordBatch.from_pylist(rows, TRACE_SCHEMA))
            count += len(shard)
    return count


def read_outcomes(path: str | Path, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The shards of an outcome file, in grid order.

    Raises:
        InputError: the file is missing, truncated, damaged, or does not hold outcomes.
    """
    return read_batches(path, KIND, SCHEMA, columns)


def find_row(batches: Iterable[pa.RecordBatch], paper_task_id: str) -> dict | None:
    """The row of one task, or ``None`` if no shard holds it."""
    for batch in batches:
        ids = batch.column("paper_task_id").to_pylist()
        if paper_task_id in ids:
            return batch.slice(ids.index(paper_task_id), 1).to_pylist()[0]
    return None


def read_traces(path: str | Path) -> Iterator[pa.RecordBatch]:
    """The shards of a trace file, in grid order.

    Raises:
        InputError: the file is missing, truncated, damaged, or does not hold traces.
    """
    return read_batches(path, TRACE_KIND, TRACE_SCHEMA)


def trace_row(paper_task_id: str, count: int, trace: Trace) -> dict:
    """A trace over ``count`` records as a row of :data:`TRACE_SCHEMA`."""
    tested, group, altered = zip(*trace.probes, strict=True) if trace.probes else ((), (), ())
    same, margin = zip(*trace.answers, strict=True) if trace.answers else ((), ())
    return {
        "paper_task_id": paper_task_id,
        "candidate_count": count,
        "tested": packed(tested, count),
        "group": packed(group, count),
        "altered": packed(altered, count),
        "same": list(same),
        "margin": list(margin),
        "dropped": packed(trace.dropped(), count),
    }


def _weight(outcome: ExactOutcome) -> int:
    """About the number of set entries in the trace of an outcome, in words of 64 records."""
    words = 1 + outcome.task.candidate_count // 64
    return words * (1 + outcome.trace.evaluations)


def _row(outcome: ExactOutcome) -> dict:
    selection = outcome.trace.selection
    return {
        **outcome.task.columns(),
        "selected": members(selection.retained),
        **outcome.measures._asdict(),
        "intervention_count": outcome.trace.evaluations,
        "budget_exhausted": selection.budget_exhausted,
    }
