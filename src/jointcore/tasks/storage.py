"""Tasks as Parquet: one row a condition, its records nested (schema: ``docs/benchmark.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from jointcore.parquet import count_rows, read_batches, shards, write_batches
from jointcore.tasks.grid import Cell
from jointcore.tasks.question import Record
from jointcore.tasks.task import Task, benchmark_question

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
    rows = list(map(_row, tasks))
    columns = [
        _records([task.records for task in tasks], field.type)
        if field.name == "records"
        else pa.array([row[field.name] for row in rows], field.type)
        for field in SCHEMA
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _row(task: Task) -> dict[str, Any]:
    return {
        **task.columns(),
        "task_id": task.task_id,
        "condition": task.condition,
        "key": task.key,
        "seed": task.seed,
        "support": task.support,
        "presentation_order": task.question.presentation,
        "satisfied_action": task.question.condition.action,
    }


def _records(lists: list[tuple[Record, ...]], type_: pa.DataType) -> pa.Array:
    flat = zip(*(record for records in lists for record in records), strict=True)
    columns = [pa.array(values, RECORD[i].type) for i, values in enumerate(flat)]
    return pa.ListArray.from_arrays(
        pa.array(list(accumulate(map(len, lists), initial=0)), pa.int32()),
        pa.StructArray.from_arrays(columns, fields=list(RECORD)),
        type=type_,
    )


def _tasks(batch: pa.RecordBatch) -> Iterator[Task]:
    nested = batch.column("records")
    flat = nested.flatten()
    records = iter(list(map(Record, *(flat.field(i).to_pylist() for i in range(len(RECORD))))))
    for length, row in zip(nested.value_lengths().to_pylist(), batch.drop_columns("records").to_pylist(), strict=True):
        cell = Cell._make(row[name] for name in Cell._fields)
        question = benchmark_question(
            cell,
            row["paper_task_id"],
            tuple(islice(records, length)),
            tuple(row["support"]),
            tuple(row["presentation_order"]),
            row["satisfied_action"],
        )
        yield Task(question, cell, row["task_id"], row["condition"], row["key"], row["seed"])
