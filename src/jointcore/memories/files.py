"""Reads files of memories: JSONL, JSON, CSV and Parquet, with the line of whatever is wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jointcore.errors import InputError

ENDINGS = (".jsonl", ".ndjson", ".json", ".af", ".csv", ".parquet")


def read_rows(path: str | Path) -> list[tuple[str, Any]]:
    """The memories of a file: pairs of where one stands and what it is.

    A JSON file holds a list, or an object whose key ``memories`` holds one. An empty cell of a table is no value.

    Raises:
        InputError: see :func:`read_document`; or a JSON file holds something else.
    """
    path = Path(path)
    content = read_document(path)
    if path.suffix.lower() in (".json", ".af"):
        if isinstance(content, Mapping) and isinstance(content.get("memories"), list):
            content = content["memories"]
        if not isinstance(content, list):
            raise InputError(
                f"{path} holds no list of memories; give a list of texts or objects, an object with the key memories, "
                "or name the product it comes from with source"
            )
        return [(f"{path} item {position}", row) for position, row in enumerate(content)]
    return content


def read_document(path: str | Path) -> Any:
    """What a file holds: the document of a JSON file, else a list of pairs (where, row).

    Raises:
        InputError: the file is missing, of an unknown kind, not UTF-8, or broken; the line is named.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        raise InputError(f"{path} does not end in {', '.join(ENDINGS)}; rename it or save it as one of these")
    if kind == ".parquet":
        return _parquet(path)
    text = _utf8(path)
    if kind == ".csv":
        return _csv(path, text)
    if kind in (".jsonl", ".ndjson"):
        lines = enumerate(text.split("\n"), 1)
        return [(f"{path} line {n}", _json(f"{path} line {n}", line)) for n, line in lines if line.strip()]
    return _json(str(path), text)


def _utf8(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; correct the path") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); make it readable") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path} line {line} is not UTF-8; save the file as UTF-8") from error


def _json(where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f" line {error.lineno}" if "\n" in text else ""
        raise InputError(f"{where}{line} is not valid JSON ({error.msg}, column {error.colno}); correct it") from error


def _csv(path: Path, text: str) -> list[tuple[str, dict[str, Any]]]:
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    found = []
    try:
        for row in rows:
            where = f"{path} line {rows.line_num}"
            if None in row or None in row.values():
                raise InputError(f"{where} has another number of cells than the header; correct it")
            found.append((where, {key: value for key, value in row.items() if value != "" or key == "text"}))
    except csv.Error as error:
        raise InputError(f"{path} line {rows.line_num} is not valid CSV ({error}); correct it") from error
    return found


def _parquet(path: Path) -> list[tuple[str, dict[str, Any]]]:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; correct the path") from None
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(
            f"{path} is not a readable Parquet file ({' '.join(str(error).split())}); restore it"
        ) from error
    rows = ({key: value for key, value in row.items() if value is not None} for row in table.to_pylist())
    return [(f"{path} row {position}", row) for position, row in enumerate(rows)]
