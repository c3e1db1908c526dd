"""Tasks as Parquet: one row a condition, its records nested (schema: ``docs/benchmark.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from jointcore.parquet import count_rows, read_batches, shards, write_batches
from jointcore.tasks.task import Record, Task

KIND = "JointCoreBench tasks, version 1"

RECORD = pa.struct(
    [
        ("id", pa.int32()),
        ("name", pa.string()),
        ("type", pa.string()),
        ("value", pa.string()),
        ("cost", pa.int32()),
        ("relevance", pa.float64()),
    ]
)

SCHEMA = pa.schema(
    [
        ("paper_task_id", pa.string()),
        ("task_id", pa.string()),
        ("condition", pa.string()),
        ("key", pa.string()),
        ("domain", pa.string()),
        ("family", pa.string()),
        ("candidate_count", pa.int32()),
        ("support_size", pa.int32()),
        ("horizon_label", pa.int32()),
        ("seed_block", pa.int32()),
        ("seed", pa.int64()),
        ("records", pa.list_(RECORD)),
        ("support", pa.list_(pa.int32())),
        ("presentation_order", pa.list_(pa.int32())),
        ("satisfied_action", pa.string()),
    ]
)


def write_tasks(path: str | Path, tasks: Iterable[Task]) -> int:
    """Write tasks in the given order, streamed; returns their number."""
    return write_batches(path, KIND, SCHEMA, map(_batch, shards(tasks, lambda task: task.candidate_count)))


def read_tasks(path: str | Path) -> Iterator[Task]:
    """The tasks of a file in order, streamed.

    Raises:
        InputError: the file is missing, truncated, damaged, or does not hold tasks.
    """
    for batch in read_batches(path, KIND, SCHEMA):
        yield from _tasks(batch)


def count_tasks(path: str | Path) -> int:
    """Number of tasks in a file.

    Raises:
        InputError: the file is missing, truncated, or does not hold tasks.
    """
    return count_rows(path, KIND, SCHEMA)


def _batch(tasks: list[Task]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([_column(tasks, field) for field in SCHEMA], schema=SCHEMA)


def _column(tasks: list[Task], field: pa.Field) -> pa.Array:
    if field.name != "records":
        return pa.array([getattr(task, field.name) for task in tasks], field.type)
    flat = list(zip(*(record for task in tasks for record in task.records), strict=True))
    offsets = [0]
    for task in tasks:
        offsets.append(offsets[-1] + len(task.records))
    columns = [pa.array(values, RECORD[i].type) for i, values in enumerate(flat)]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.StructArray.from_arrays(columns, fields=list(RECORD)),
        type=field.type,
    )


def _tasks(batch: pa.RecordBatch) -> Iterator[Task]:
    columns = {name: batch.column(name) for name in batch.schema.names}
    nested = columns.pop("records")
    flat = nested.flatten()
    records = list(map(Record, *(flat.field(i).to_pylist() for i in range(len(RECORD)))))
    lengths = nested.value_lengths().to_pylist()
    names = [name for name in SCHEMA.names if name != "records"]
    start = 0
    for length, row in zip(lengths, zip(*(columns[name].to_pylist() for name in names), strict=True), strict=True):
        values = dict(zip(names, row, strict=True))
        values["support"] = tuple(values["support"])
        values["presentation_order"] = tuple(values["presentation_order"])
        yield Task(**values, records=tuple(records[start : start + length]))
        start += length
