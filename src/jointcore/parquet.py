"""Parquet files that are streamed, complete and of a known schema.

Rows go to disk in shards (row groups), so memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jointcore.errors import InputError
from jointcore.files import whole_file

#: Rows a shard.
SHARD = 1024
_KIND = b"jointcore.kind"


def shards(rows: Iterable[Any], size: int = SHARD) -> Iterator[list[Any]]:
    """Cut rows into lists of ``size``; the last one may be shorter."""
    iterator = iter(rows)
    while shard := list(islice(iterator, size)):
        yield shard


def write_batches(path: str | Path, kind: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write record batches, a row group each, whole or not at all; returns the number of rows.

    Args:
        path: file to write.
        kind: what the file holds, kept in its metadata and checked by :func:`open_parquet`.
        schema: columns and types.
        batches: record batches of that schema.
    """
    rows = 0
    with whole_file(path) as partial:
        marked = schema.with_metadata({_KIND: kind.encode()})
        with pq.ParquetWriter(partial, marked, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
                rows += batch.num_rows
    return rows


def open_parquet(path: str | Path, kind: str, schema: pa.Schema) -> pq.ParquetFile:
    """Open a file that :func:`write_batches` wrote, after checking that it is one.

    Raises:
        InputError: the file is missing, truncated, not Parquet, or holds something else.
    """
    remedy = "delete it and run the same command again"
    try:
        file = pq.ParquetFile(path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the rule that makes it") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{path} is not a complete Parquet file ({str(error).splitlines()[0]}); {remedy}"
        ) from error
    found = file.schema_arrow
    recorded = (found.metadata or {}).get(_KIND, b"").decode()
    for column in schema:
        if column.name not in found.names:
            raise InputError(f"{path} has no column {column.name!r}, so it does not hold {kind}; {remedy}")
        if found.field(column.name).type != column.type:
            raise InputError(
                f"{path} holds column {column.name!r} as {found.field(column.name).type} instead of "
                f"{column.type}, so it does not hold {kind}; {remedy}"
            )
    if recorded != kind:
        raise InputError(f"{path} was not written as {kind} (found {recorded or 'no mark'}); {remedy}")
    return file


def read_batches(
    path: str | Path, kind: str, schema: pa.Schema, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The shards of a file in order, one at a time.

    Raises:
        InputError: see :func:`open_parquet`; also when a shard cannot be read.
    """
    with open_parquet(path, kind, schema) as file:
        try:
            yield from file.iter_batches(batch_size=SHARD, columns=columns and list(columns))
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{path} is damaged ({str(error).splitlines()[0]}); delete it and run the same command again"
            ) from error


def count_rows(path: str | Path, kind: str, schema: pa.Schema) -> int:
    """Number of rows, from the file's footer.

    Raises:
        InputError: see :func:`open_parquet`.
    """
    with open_parquet(path, kind, schema) as file:
        return file.metadata.num_rows
