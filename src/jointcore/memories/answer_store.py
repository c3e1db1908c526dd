"""Keeps what a judge said about memories across processes: each answer is on the disk before the next question."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from hashlib import sha256 as digest
from pathlib import Path
from typing import Any

from jointcore.bitsets import members
from jointcore.decisions.protocol import Decision
from jointcore.decisions.store.segments import SegmentWriter, read_segment, segment_paths
from jointcore.hashing import canonical_json
from jointcore.memories.function_judge import MarginDecision, NoDecisionError, SureDecision

KIND = "jointcore answers about memories, version 1"


class AnswerStore:
    """The answers of one judge to one query; a question is the retained memories as given, in order.

    So an answer also counts for a larger memory that shares them.

    Args:
        folder: folder of the store, made at the first answer; several processes may share it.
        identity: what tells the judge, its query and its normaliser from others.
        given: all memories as given.

    Raises:
        InputError: the folder cannot be read or holds something else.
    """

    def __init__(self, folder: str | Path, identity: Sequence[str], given: Sequence[Any]) -> None:
        self._start = digest(canonical_json(list(identity)).encode()).digest()
        self._parts = [digest(canonical_json(_storable(value)).encode()).digest() for value in given]
        self._writer = SegmentWriter(Path(folder), KIND, {"judge": identity[0]})
        self._answers: dict[str, dict[str, Any]] = {}
        for path in segment_paths(Path(folder)):
            for record in read_segment(path, KIND).records:
                self._answers.setdefault(record["key"], record)

    def get(self, retained: int) -> Decision | None:
        """The decision on a retained set (a bitset), ``None`` if it is not known."""
        record = self._answers.get(self._key(retained))
        if record is None:
            return None
        if record["reason"]:
            return Decision(None, reason=record["reason"])
        action = _restored(record["decision"])
        return SureDecision(action) if record["margin"] is None else MarginDecision(action, record["margin"])

    def add(self, retained: int, decision: Decision) -> None:
        """Keep a decision; it is on the disk when this returns.

        Raises:
            NoDecisionError: the decision is of a kind that a file cannot hold.
            InputError: the folder cannot be written or the disk is full.
        """
        margin = decision.scores.get(decision.action) if isinstance(decision, MarginDecision) else None
        record = {
            "key": self._key(retained),
            "decision": _stored(decision.action),
            "margin": margin,
            "reason": decision.reason,
        }
        self._writer.append([record])
        self._answers[record["key"]] = record

    def close(self) -> None:
        """Close this process's segment."""
        self._writer.close()

    def _key(self, retained: int) -> str:
        parts = self._parts
        return digest(self._start + b"".join(parts[i] for i in members(retained))).hexdigest()


def _stored(action: Hashable) -> Any:
    """A decision as JSON, with the kinds that JSON lacks named."""
    if action is None or type(action) in (str, int, float, bool):
        return action
    if type(action) is tuple:
        return {"tuple": [_stored(part) for part in action]}
    raise NoDecisionError(
        f"the judge decided {action!r}, a {type(action).__name__}, which a store cannot hold; decide on texts, "
        "numbers or tuples of them, give normalise, or leave store out"
    )


def _restored(stored: Any) -> Hashable:
    return tuple(map(_restored, stored["tuple"])) if isinstance(stored, dict) else stored


def _storable(value: Any) -> Any:
    """A memory as JSON values; what JSON lacks, by its text."""
    if isinstance(value, dict):
        return {str(key): _storable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(part) for part in value]
    return value if value is None or isinstance(value, str | int | float | bool) else repr(value)
