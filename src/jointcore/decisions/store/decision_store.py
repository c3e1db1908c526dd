"""The decision store: every answer of a language model, kept under a key of everything it depends on.

Several processes may read and write one store at once, on a shared file system too: each appends to its
own segment and reads all of them (:mod:`jointcore.decisions.store.segments`). An answer that is not whole on
the disk does not count and is asked again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.store.segments import SegmentWriter, read_segment, segment_paths
from jointcore.hashing import canonical_json, sha256

KIND = "jointcore decision store, version 1"

_log = logging.getLogger(__name__)


class Entry(NamedTuple):
    """An answer to be kept.

    Attributes:
        key: see :meth:`DecisionStore.key`.
        result: the scores or the reason why there are none.
        note: what was asked, for readers of the store; no part of the key.
    """

    key: str
    result: ScoringResult
    note: Mapping[str, Any]


class DecisionStore:
    """The answers of one scorer.

    Args:
        folder: folder of the store, made at the first answer; nothing else may be in it. ``None`` keeps the answers
            in this process only.
        identity: everything but the token ids that an answer depends on, as JSON values: model repository,
            revision, precision, scorer version.

    Attributes:
        damaged: records that failed their checksum or were cut short; they are asked again.
        conflicts: keys with two different answers, of which one is used, the same by every reader.

    Raises:
        InputError: the folder holds another program's files or another version's store.
    """

    def __init__(self, folder: str | Path | None, identity: Mapping[str, Any]) -> None:
        self._folder = None if folder is None else Path(folder)
        self._identity = dict(identity)
        self._prefix = sha256(canonical_json(self._identity))
        self._answers: dict[str, ScoringResult] = {}
        self._positions: dict[Path, int] = {}
        self._writer = None if folder is None else SegmentWriter(self._folder, KIND, {"identity": self._identity})
        self.damaged = 0
        self.conflicts = 0
        self.refresh()

    def __enter__(self) -> DecisionStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._answers)

    def key(self, request: ScoringRequest) -> str:
        """SHA-256 of the canonical JSON of everything that the answer depends on."""
        return sha256(
            canonical_json({"identity": self._prefix, "labels": request.label_ids, "tokens": request.token_ids})
        )

    def get(self, key: str) -> ScoringResult | None:
        """The answer under a key, ``None`` if there is none yet."""
        return self._answers.get(key)

    def refresh(self) -> None:
        """Read what other processes have written since the last time.

        Raises:
            InputError: see the class.
        """
        for path in segment_paths(self._folder) if self._folder else ():
            if path == self._writer.path:
                continue
            first = path not in self._positions
            segment = read_segment(path, KIND, self._positions.get(path, 0))
            self._positions[path] = segment.position
            conflicts = sum(self._keep(record["key"], result_of(record)) for record in segment.records)
            lost = segment.damaged + (first and segment.incomplete)
            if lost:
                self.damaged += lost
                _log.warning("%s: %d damaged or incomplete records; these are decided again", path, lost)
            if conflicts:
                _log.warning("%s: %d answers differ from another file's under the same key", path, conflicts)

    def prepare(self) -> None:
        """Make this process's segment, so that a folder that cannot be written is known before long work.

        Raises:
            InputError: the folder cannot be written or the disk is full.
        """
        if self._writer:
            self._writer.open()

    def add(self, entries: Iterable[Entry]) -> None:
        """Keep answers; they are on the disk when this returns.

        Raises:
            InputError: the folder cannot be written or the disk is full; earlier answers are safe.
        """
        entries = list(entries)
        if self._writer:
            self._writer.append(
                {"key": key, "scores": result.scores, "reason": result.reason, **note} for key, result, note in entries
            )
        for key, result, _ in entries:
            self._keep(key, result)

    def close(self) -> None:
        """Close this process's segment."""
        if self._writer:
            self._writer.close()

    def _keep(self, key: str, result: ScoringResult) -> bool:
        """Keep an answer; whether it contradicts the one that is known. The choice is the same in any order."""
        known = self._answers.setdefault(key, result)
        if known == result:
            return False
        self._answers[key] = min(known, result, key=repr)
        self.conflicts += 1
        return True


def result_of(record: Mapping[str, Any]) -> ScoringResult:
    """The answer that a record of a segment holds."""
    scores = record["scores"]
    return ScoringResult(None if scores is None else tuple(scores), record["reason"])
