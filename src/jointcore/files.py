"""Writes a file whole or not at all, and reads JSON."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from jointcore.errors import InputError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; rename it to ``path`` when the block ends without an error.

    A reader sees the old file or the new one, never a part, even after a ``kill -9`` and even while two
    processes write the same file: the last one wins. See also :func:`partial_path`.

    Raises:
        InputError: the folder cannot be written or the disk is full.
    """
    path = Path(path)
    partial = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = partial_path(path)
        yield partial
        with open(partial, "rb+") as handle:
            os.fsync(handle.fileno())
        os.replace(partial, path)
    except BaseException as error:
        if partial:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
        remedy = write_remedy(error)
        if remedy:
            raise InputError(f"cannot write {path}: {remedy}, then run the same command again") from error
        raise


def partial_path(path: Path) -> Path:
    """A temporary name beside a file or folder that no other process uses.

    A job that a killed Snakemake left behind may still write what its successor writes. What killed
    processes of this machine left under such names is removed first.
    """
    start, end = f".{path.name}.{socket.gethostname()}.", ".partial"
    for left in path.parent.iterdir():
        if left.name.startswith(start) and left.name.endswith(end):
            process = left.name.removeprefix(start).removesuffix(end)
            if process.isdecimal() and (int(process) == os.getpid() or not _runs(int(process))):
                with suppress(OSError):
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
    return path.with_name(f"{start}{os.getpid()}{end}")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text with ``\\n`` line ends, whole or not at all."""
    with whole_file(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | Path, value: Any) -> None:
    """Write a value as indented UTF-8 JSON, whole or not at all."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | Path) -> Any:
    """The content of a JSON file.

    Raises:
        InputError: the file is missing, unreadable or not whole.
    """
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the rule that makes it, or restore it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); make it readable") from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path} is not valid JSON (line {error.lineno}: {error.msg}); move it away and run the same command again"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text; move it away and run the same command again") from error


def write_remedy(error: BaseException) -> str:
    """What a user can do about a file that could not be written; empty if that is not known."""
    if not isinstance(error, OSError):
        return ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error):
        return "the disk is full or over quota; free some space"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "the folder is read-only; make it writable"
    return ""
