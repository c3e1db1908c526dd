"""A decision store as one Parquet file for readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from jointcore.decisions.scoring import best, margin
from jointcore.decisions.segments import read_segment, segment_paths
from jointcore.decisions.store import KIND as STORE_KIND
from jointcore.decisions.store import result_of
from jointcore.parquet import shards, write_batches

KIND = "jointcore decisions, version 1"

#: ``scores`` are mean log-probabilities in nats, in the order of ``labels``; ``label``, ``action`` and ``margin``
#: (best score less the next one) are empty where the decision is invalid, for the ``reason`` given.
SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("key", pa.string()),
        ("paper_task_id", pa.string()),
        ("retained", pa.list_(pa.int32())),
        ("altered", pa.list_(pa.int32())),
        ("interface", pa.string()),
        ("label_style", pa.string()),
        ("workflow_action", pa.string()),
        ("labels", pa.list_(pa.string())),
        ("actions", pa.list_(pa.string())),
        ("scores", pa.list_(pa.float64())),
        ("label", pa.string()),
        ("action", pa.string()),
        ("margin", pa.float64()),
        ("reason", pa.string()),
    ]
)


def export_store(folder: str | Path, path: str | Path, model: str) -> int:
    """Write every answer of a store to a Parquet file, one row a key in ascending key; returns their number.

    A row tells who asked first (task, records, interface, label style, step), the labels and the actions
    that they stand for, their scores, the label taken and its margin. Which of two different answers under one
    key is written does not depend on the order of the files.

    Args:
        folder: folder of the store.
        path: file to write.
        model: key of the model, for the column of that name.

    Raises:
        InputError: see :class:`jointcore.decisions.store.DecisionStore`.
    """
    kept: dict[str, dict[str, Any]] = {}
    for segment in segment_paths(Path(folder)):
        for record in read_segment(segment, STORE_KIND).records:
            known = kept.get(record["key"], record)
            kept[record["key"]] = min(known, record, key=lambda each: repr((result_of(each), each)))
    rows = (_row(model, kept[key]) for key in sorted(kept))
    return write_batches(path, KIND, SCHEMA, _batches(rows))


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    for shard in shards(rows, lambda row: 1):
        yield pa.RecordBatch.from_pylist(shard, schema=SCHEMA)


def _row(model: str, record: dict[str, Any]) -> dict[str, Any]:
    scores = record["scores"]
    taken = None if scores is None else best(scores)
    return {
        **record,
        "model": model,
        "scores": scores,
        "label": None if taken is None else record["labels"][taken],
        "action": None if taken is None else record["actions"][taken],
        "margin": None if taken is None else margin(scores),
    }
