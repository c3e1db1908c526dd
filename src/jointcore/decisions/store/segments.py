"""Append-only files of checksummed records: what of them survives is whole.

A line is sixteen hexadecimal digits of the SHA-256 of a canonical JSON text, a blank and that text. The first
line of a segment says what it holds. Every process appends to a segment of its own, so that no lock is
needed, on a shared file system neither.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from jointcore.errors import InputError
from jointcore.files import write_remedy
from jointcore.hashing import canonical_json

SUFFIX = ".decisions"
_DIGITS = 16


class Segment(NamedTuple):
    """What could be read of a segment from some position on.

    Attributes:
        records: the whole records in order, without the first line.
        damaged: lines that fail their checksum.
        incomplete: whether the last line has no end; its process was killed, or is writing it.
        position: where to read on, in bytes.
    """

    records: list[dict[str, Any]]
    damaged: int
    incomplete: bool
    position: int


def segment_paths(folder: Path) -> list[Path]:
    """The segments in a folder, sorted by name; none if there is no such folder.

    Raises:
        InputError: the folder cannot be read, or holds something else, which may be another program's.
    """
    try:
        found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot read decisions from {folder}: {error.strerror}; choose another folder") from error
    for path in found:
        if path.suffix != SUFFIX or not path.is_file():
            raise InputError(f"{path} is not part of a decision store; move it out of {folder}")
    return found


def read_segment(path: Path, kind: str, position: int = 0) -> Segment:
    """Read a segment from a position on.

    Raises:
        InputError: the segment cannot be read, or is of another kind or version.
    """
    try:
        with open(path, "rb") as handle:
            handle.seek(position)
            content = handle.read()
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror}); make it readable or move it away") from error
    end = content.rfind(b"\n") + 1
    lines = content[:end].split(b"\n")[:-1]
    records, damaged = [], 0
    for number, line in enumerate(lines):
        record = _parse(line)
        if record is None:
            damaged += bool(line)
        elif position == 0 and number == 0 and "kind" in record:
            if record["kind"] != kind:
                raise InputError(
                    f"{path} holds {record['kind']!r} instead of {kind!r}; move it away, "
                    "or read it with the version that wrote it"
                )
        else:
            records.append(record)
    return Segment(records, damaged, end < len(content), position + end)


class SegmentWriter:
    """Appends records to a new segment; the file is made when it is first needed.

    Args:
        folder: folder of the segments; made if it does not exist.
        kind: what the segment holds.
        facts: what the first line says besides.
    """

    def __init__(self, folder: Path, kind: str, facts: Mapping[str, Any]) -> None:
        self._folder = folder
        self._first = {"kind": kind, **facts}
        self._descriptor: int | None = None
        self._torn = False
        self.path: Path | None = None

    def open(self) -> None:
        """Make the segment, so that a folder that cannot be written is known before long work.

        Raises:
            InputError: the folder cannot be written or the disk is full.
        """
        if self._descriptor is not None:
            return
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self.path = self._folder / name
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
            self._descriptor = os.open(self.path, flags, 0o644)
            _sync_folder(self._folder)
        except OSError as error:
            raise self._cannot_write(error) from error
        self.append([self._first])

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records and wait until they are on the disk.

        Raises:
            InputError: the folder cannot be written or the disk is full; earlier records are safe.
        """
        self.open()
        content = b"".join(map(_line, records))
        if self._torn:
            content = b"\n" + content
        self._torn = True
        try:
            view = memoryview(content)
            while view:
                view = view[os.write(self._descriptor, view) :]
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._cannot_write(error) from error
        self._torn = False

    def close(self) -> None:
        """Close the segment."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _cannot_write(self, error: OSError) -> InputError:
        remedy = write_remedy(error) or f"{error.strerror}; choose another folder"
        return InputError(
            f"cannot write decisions to {self._folder}: {remedy}, then run the same command again; "
            "every answer written so far is kept"
        )


def _line(record: Mapping[str, Any]) -> bytes:
    text = canonical_json(record).encode("ascii")
    return b"%s %s\n" % (sha256(text).hexdigest()[:_DIGITS].encode("ascii"), text)


def _parse(line: bytes) -> dict[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    if sha256(text).hexdigest()[:_DIGITS].encode("ascii") != checksum:
        return None
    return json.loads(text)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
