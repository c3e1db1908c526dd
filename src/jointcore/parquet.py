"""Parquet files that are streamed, complete and of a known schema.

Rows go to disk in shards (row groups), so memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jointcore.errors import InputError
from jointcore.files import whole_file

#: Rows a shard at most, and their weight at most, so that a shard of large rows takes no more memory.
SHARD = 1024
WEIGHT = 1 << 16
_KIND = b"jointcore.kind"
_AGAIN = "delete it and run the same command again"


def shards(rows: Iterable[Any], weigh: Callable[[Any], int]) -> Iterator[list[Any]]:
    """Cut rows into shards of at most :data:`SHARD` rows that weigh no more than :data:`WEIGHT`.

    Args:
        rows: what is cut.
        weigh: weight of a row; a row that is heavier than a shard may be is a shard of its own.
    """
    shard: list[Any] = []
    load = 0
    for row in rows:
        weight = weigh(row)
        if shard and (len(shard) == SHARD or load + weight > WEIGHT):
            yield shard
            shard, load = [], 0
        shard.append(row)
        load += weight
    if shard:
        yield shard


@contextmanager
def batch_writer(path: str | Path, kind: str, schema: pa.Schema) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """Yield a function that writes one record batch as a row group; the file appears whole or not at all.

    Args:
        path: file to write.
        kind: what the file holds, kept in its metadata and checked by :func:`open_parquet`.
        schema: columns and types.
    """
    marked = schema.with_metadata({_KIND: kind.encode()})
    with whole_file(path) as partial, pq.ParquetWriter(partial, marked, compression="zstd") as writer:
        yield lambda batch: writer.write_batch(batch, row_group_size=max(1, batch.num_rows))


def write_batches(path: str | Path, kind: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write record batches, a row group each, whole or not at all; returns the number of rows."""
    rows = 0
    with batch_writer(path, kind, schema) as write:
        for batch in batches:
            write(batch)
            rows += batch.num_rows
    return rows


def open_parquet(path: str | Path, kind: str, schema: pa.Schema) -> pq.ParquetFile:
    """Open a file that :func:`write_batches` wrote, after checking that it is one.

    Raises:
        InputError: the file is missing, truncated, not Parquet, or holds something else.
    """
    try:
        file = pq.ParquetFile(path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the rule that makes it") from None
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        if not _begins_as_parquet(path):
            raise InputError(f"{path} is no Parquet file; name the file that holds {kind}") from error
        raise InputError(f"{path} is not a complete Parquet file ({reason}); {_AGAIN}") from error
    found = file.schema_arrow
    recorded = (found.metadata or {}).get(_KIND, b"").decode()
    if recorded != kind:
        # Another version of the same kind is made anew; a file of another kind or of others is left alone.
        same = recorded.partition(", version")[0] == kind.partition(", version")[0]
        remedy = _AGAIN if same else f"name the file that holds {kind}"
        raise InputError(f"{path} does not hold {kind} (it is marked as {recorded or 'nothing'}); {remedy}")
    for column in schema:
        if column.name not in found.names:
            raise InputError(f"{path} has no column {column.name!r}, so it does not hold {kind}; {_AGAIN}")
        if found.field(column.name).type != column.type:
            raise InputError(
                f"{path} holds column {column.name!r} as {found.field(column.name).type} instead of "
                f"{column.type}, so it does not hold {kind}; {_AGAIN}"
            )
    return file


def _begins_as_parquet(path: str | Path) -> bool:
    """Whether what is there was meant as Parquet: a cut file has its first bytes, an empty one nothing else."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as handle:
        return b"PAR1".startswith(handle.read(4))


def read_batches(
    path: str | Path, kind: str, schema: pa.Schema, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The shards of a file in order, one at a time.

    Raises:
        InputError: see :func:`open_parquet`; also when a shard cannot be read.
    """
    with open_parquet(path, kind, schema) as file:
        try:
            for group in range(file.num_row_groups):
                yield from file.iter_batches(batch_size=SHARD, row_groups=[group], columns=columns and list(columns))
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path} is damaged ({str(error).splitlines()[0]}); {_AGAIN}") from error


def count_rows(path: str | Path, kind: str, schema: pa.Schema) -> int:
    """Number of rows, from the file's footer.

    Raises:
        InputError: see :func:`open_parquet`.
    """
    with open_parquet(path, kind, schema) as file:
        return file.metadata.num_rows
