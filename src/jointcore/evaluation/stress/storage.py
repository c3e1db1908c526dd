"""Results of the stress experiments as Parquet (schema: ``docs/searches.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from jointcore.evaluation.stress.sweep import MEASURES
from jointcore.parquet import read_batches, shards, write_batches

KIND = "stress results, version 1"
LIMITS_KIND = "limits, version 1"

#: One row a scenario, family, n and support size; the measures are means over its conditions.
SCHEMA = pa.schema(
    [
        ("method", pa.string()),
        ("level", pa.string()),
        ("budget", pa.int32()),
        ("noise", pa.string()),
        ("error_rate", pa.float64()),
        ("seed", pa.int64()),
        ("family", pa.string()),
        ("candidate_count", pa.int32()),
        ("support_size", pa.int32()),
        ("conditions", pa.int32()),
        *((measure, pa.float64()) for measure in MEASURES),
    ]
)

#: One row a condition; see :class:`jointcore.evaluation.stress.limits.Limits`.
LIMITS_SCHEMA = pa.schema(
    [
        ("paper_task_id", pa.string()),
        ("family", pa.string()),
        ("candidate_count", pa.int32()),
        ("support_size", pa.int32()),
        ("certificate", pa.int32()),
        ("optimal", pa.float64()),
        ("optimal_uncertified", pa.float64()),
    ]
)


def write_rows(path: str | Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows of :func:`jointcore.evaluation.stress.sweep.sweep`; returns their number."""
    return _write(path, KIND, SCHEMA, rows)


def read_rows(path: str | Path) -> Iterator[pa.RecordBatch]:
    """The shards of a results file.

    Raises:
        InputError: the file is missing, truncated, damaged, or does not hold stress results.
    """
    return read_batches(path, KIND, SCHEMA)


def write_limits(path: str | Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write rows of :func:`jointcore.evaluation.stress.limits.limits_of`; returns their number."""
    return _write(path, LIMITS_KIND, LIMITS_SCHEMA, rows)


def read_limits(path: str | Path) -> Iterator[pa.RecordBatch]:
    """The shards of a file of limits.

    Raises:
        InputError: the file is missing, truncated, damaged, or does not hold limits.
    """
    return read_batches(path, LIMITS_KIND, LIMITS_SCHEMA)


def _write(path: str | Path, kind: str, schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> int:
    batches = (pa.RecordBatch.from_pylist(shard, schema) for shard in shards(rows, lambda row: 1))
    return write_batches(path, kind, schema, batches)
