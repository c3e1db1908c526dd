"""Files of the model stage: what is in them, reading, writing and merging (columns: ``docs/model_stage.md``)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from jointcore.errors import InputError
from jointcore.evaluation.measure_catalogue import WITH_CONTROL
from jointcore.parquet import read_batches, shards, write_batches
from jointcore.tasks import storage
from jointcore.tasks.task import TASK_COLUMNS

_TASK = [(name, storage.SCHEMA.field(name).type) for name in TASK_COLUMNS]
_RUN = [
    ("method", pa.string()),
    ("role", pa.string()),
    ("task_index", pa.int32()),
]
_SELECTED = ("selected", pa.list_(pa.int32()))
_SETS = pa.list_(pa.binary())


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file of the model stage holds.

    Attributes:
        name: kept in the file and checked when it is read.
        schema: columns and types.
    """

    name: str
    schema: pa.Schema


PRIMARY_ROWS = Kind(
    "model-stage outcomes, version 1",
    pa.schema(
        [
            ("model", pa.string()),
            *_TASK,
            *_RUN,
            _SELECTED,
            *((key, measure.type) for key, measure in WITH_CONTROL.items()),
            ("reference_action", pa.string()),
            ("final_action", pa.string()),
            ("terminal_action", pa.string()),
            ("reference_margin", pa.float64()),
            ("final_margin", pa.float64()),
            ("terminal_margin", pa.float64()),
            ("invalid_reason", pa.string()),
        ]
    ),
)

#: One row a method and task; sets and answers as in the exact stage's traces, and the action behind each answer.
TRACE_ROWS = Kind(
    "model-stage traces, version 1",
    pa.schema(
        [
            ("model", pa.string()),
            *_RUN,
            ("paper_task_id", pa.string()),
            ("candidate_count", pa.int32()),
            ("tested", _SETS),
            ("group", _SETS),
            ("altered", _SETS),
            ("same", pa.list_(pa.bool_())),
            ("margin", pa.list_(pa.float64())),
            ("dropped", _SETS),
            ("action", pa.list_(pa.string())),
        ]
    ),
)

ROBUSTNESS_ROWS = Kind(
    "model-stage robustness, version 1",
    pa.schema(
        [
            ("model", pa.string()),
            *_TASK,
            *_RUN,
            ("interface", pa.string()),
            ("label_style", pa.string()),
            _SELECTED,
            ("trajectory_success", pa.bool_()),
            ("agrees_with_primary", pa.bool_()),
            ("behavioral_sufficiency", pa.bool_()),
            ("final_decision_correct", pa.bool_()),
            ("invalid_decisions", pa.int32()),
            ("primary_action", pa.string()),
            ("reference_action", pa.string()),
            ("action", pa.string()),
            ("terminal_action", pa.string()),
            ("reference_margin", pa.float64()),
            ("margin", pa.float64()),
            ("invalid_reason", pa.string()),
        ]
    ),
)

TRANSFER_ROWS = Kind(
    "model-stage transfer, version 1",
    pa.schema(
        [
            ("source", pa.string()),
            ("target", pa.string()),
            *_TASK,
            *_RUN,
            _SELECTED,
            ("behavior_retained", pa.bool_()),
            ("final_decision_correct", pa.bool_()),
            ("reference_action", pa.string()),
            ("action", pa.string()),
            ("margin", pa.float64()),
            ("reused", pa.bool_()),
        ]
    ),
)


def write_rows(path: str | Path, kind: Kind, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows, streamed, whole or not at all; returns their number."""
    batches = (pa.RecordBatch.from_pylist(shard, kind.schema) for shard in shards(rows, _weight))
    return write_batches(path, kind.name, kind.schema, batches)


def read_rows(path: str | Path, kind: Kind, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a file in order, streamed.

    Raises:
        InputError: the file is missing, truncated, damaged, or holds something else.
    """
    for batch in read_batches(path, kind.name, kind.schema, columns):
        yield from batch.to_pylist()


def merge_shards(path: str | Path, kind: Kind, shard_paths: Sequence[str | Path]) -> int:
    """Merge the files of all shards, in shard order, by task; the bytes are those of a run in one shard.

    Raises:
        InputError: a file is missing or damaged, or holds tasks of another shard.
    """
    parts = [_shard_rows(part, kind, i, len(shard_paths)) for i, part in enumerate(shard_paths)]
    return write_rows(path, kind, heapq.merge(*parts, key=itemgetter("task_index")))


def _weight(row: dict[str, Any]) -> int:
    """About the number of set entries in a row, in words of 64 records."""
    return (1 + row["candidate_count"] // 64) * (1 + len(row.get("tested", ())))


def _shard_rows(path: str | Path, kind: Kind, shard: int, count: int) -> Iterator[dict[str, Any]]:
    for row in read_rows(path, kind):
        if row["task_index"] % count != shard:
            raise InputError(
                f"{path} holds task {row['task_index']}, which is not in shard {shard} of {count}; delete it and run "
                "the same command again"
            )
        yield row
