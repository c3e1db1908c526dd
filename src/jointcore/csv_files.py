"""CSV files: plain for every reader, and complete and unchanged where the project reads them again.

A CSV cannot say where it ends, so a cut or edited one reads like a whole one. A *sealed* CSV has a file beside it,
``NAME.csv.sha256``, with its digest (``sha256sum --check`` reads it too) and, in a comment, its rows and columns.

Use: ``write_csv(path, frame)`` for what people and other tools read (tables, data of figures);
``write_csv(path, frame, seal=True)`` for what :func:`read_csv` reads again.
"""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterable
from pathlib import Path

import pandas as pd

from jointcore.errors import InputError
from jointcore.files import write_text
from jointcore.hashing import sha256, sha256_file


def write_csv(path: str | Path, frame: pd.DataFrame, *, seal: bool = False) -> None:
    """Write a frame as CSV, whole or not at all: UTF-8, ``\\n`` line ends, numbers at full precision, no index.

    Args:
        path: file to write.
        frame: the data.
        seal: also write ``PATH.sha256``, which :func:`read_csv` needs.
    """
    path = Path(path)
    text = frame.to_csv(index=False, lineterminator="\n")
    if seal:
        header = text.partition("\n")[0]
        write_text(_seal(path), f"# rows={len(frame)} columns={header}\n{sha256(text)}  {path.name}\n")
    write_text(path, text)


def read_csv(path: str | Path, columns: Iterable[str] = (), *, text: Collection[str] = ()) -> pd.DataFrame:
    """The data of a sealed CSV, with the types that it was written with.

    A column of ``True`` and ``False`` is boolean, of whole numbers ``int64``, of numbers (empty: NaN) ``float64`` to
    the last bit; any other is text.

    Args:
        path: a file that :func:`write_csv` wrote with ``seal=True``.
        columns: columns that it must have.
        text: columns that stay text whatever they hold.

    Raises:
        InputError: the file or its seal is missing, the file was cut or edited, or it lacks a column.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the rule that makes it") from None
    try:
        described, sealed = _seal(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(
            f"{path} has no {_seal(path).name} beside it, so nothing says whether it is complete; copy both files from "
            "the run that made them, or run the rule that makes it"
        ) from None
    except (ValueError, UnicodeDecodeError):
        raise InputError(f"{_seal(path)} is damaged; run the rule that makes {path.name} and it") from None
    if sha256_file(path) != sealed.split()[0]:
        raise InputError(
            f"{path} is not as it was written ({_changes(content, described)}); copy it anew from the run that made "
            "it, or move it away and run the same command again"
        )
    frame = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise InputError(
            f"{path} has no column {missing[0]!r}, so another version of this project wrote it; move it away and run "
            "the same command again"
        )
    return frame.apply(lambda values: values if values.name in text else _typed(values))


def _seal(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _changes(content: bytes, described: str) -> str:
    """What differs from what the seal describes."""
    rows, _, columns = described.removeprefix("# rows=").partition(" columns=")
    found = content.decode("utf-8", errors="replace").splitlines()
    if not found or found[0] != columns:
        wanted, header = columns.split(","), found[0].split(",") if found else []
        lost = [name for name in wanted if name not in header]
        return f"column {lost[0]} is gone" if lost else "its header was changed"
    try:
        count = len(pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False))
    except ValueError:
        return "its rows do not fit its header"
    return f"{count} of {rows} rows" if str(count) != rows else "a value was changed"


def _typed(texts: pd.Series) -> pd.Series:
    if len(texts) and texts.isin(["True", "False"]).all():
        return texts == "True"
    try:
        if len(texts) and texts.str.fullmatch(r"-?\d+").all():
            return texts.astype("int64")
        return texts.map(lambda text: float(text) if text else math.nan).astype("float64")
    except ValueError:
        return texts
