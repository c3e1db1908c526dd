"""The memories that a user brings: texts, dictionaries, a DataFrame or a file, checked before anything is asked."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jointcore.errors import InputError

#: What an item may say of itself; everything else that it holds is metadata.
FIELDS = ("text", "id", "cost", "relevance", "time", "role", "metadata")
#: What other products call the text; such items are for a reader of :mod:`jointcore.memory_sources`.
_OTHER_NAMES = ("memory", "content", "fact", "value")


@dataclass(frozen=True, slots=True)
class Item:
    """One memory.

    Attributes:
        text: what it says.
        id: what the user calls it; ``None`` where no memory has an id.
        cost: what keeping it costs, positive; ``None`` until a default is chosen.
        relevance: higher is more relevant; ``None`` until a ranking is made.
        time, role: when it was noted and whose words it holds, for a reader.
        metadata: whatever else the user's item holds.
        given: the item as the user gave it; what a function that judges is shown.
        where: where it stands, for messages: ``memory 3`` or ``memories.jsonl line 4``.
    """

    text: str
    id: Hashable = None
    cost: float | None = None
    relevance: float | None = None
    time: str | None = None
    role: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    given: Any = None
    where: str = ""


@dataclass(frozen=True)
class Memories(Sequence):
    """Checked memories in presentation order.

    Attributes:
        items: the memories.
        warnings: what their reader found wrong with them, a sentence each; nothing is dropped in silence.
        query: the question that their source asks about them, if it asks one.
    """

    items: tuple[Item, ...]
    warnings: tuple[str, ...] = ()
    query: str | None = None

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, position):
        return self.items[position]

    @cached_property
    def names(self) -> list[Hashable]:
        """The given ids in order; positions where none are given."""
        return [position if item.id is None else item.id for position, item in enumerate(self.items)]


def read_memories(memories: Any, source: str | Callable[..., Any] | None = None, case: str | None = None) -> Memories:
    """Memories from whatever holds them.

    Args:
        memories: texts; dictionaries with ``text`` and optionally ``id``, ``cost``, ``relevance``, ``time``,
            ``role`` and ``metadata`` (other keys are metadata too); a DataFrame with such columns; a path to JSONL,
            JSON, CSV or Parquet; or :class:`Memories`.
        source: whose export a file is, a name of :mod:`jointcore.memory_sources` or a reader of one's own.
        case: which one of a source's many memories, by its id.

    Raises:
        InputError: the file cannot be read, there is no memory, a text is empty, an id is repeated, a cost is not
            positive or a relevance not finite, or only some memories have an id, a cost or a relevance.
    """
    if isinstance(memories, Memories):
        return memories
    if source is not None:
        from jointcore.memories.exports import read_export

        found = read_export(memories, source, case)
        for sentence in found.warnings:
            warnings.warn(sentence, stacklevel=2)
        return found
    if isinstance(memories, str | Path):
        from jointcore.memories.files import read_rows

        return checked(read_rows(memories))
    if hasattr(memories, "to_dict") and hasattr(memories, "columns"):  # a DataFrame, without importing pandas
        rows = [
            {key: value for key, value in row.items() if not _missing(value)}
            for row in memories.to_dict(orient="records")
        ]
        return checked((f"row {position}", row) for position, row in enumerate(rows))
    if not isinstance(memories, Iterable) or isinstance(memories, Mapping | bytes):
        raise InputError(
            f"memories is of type {type(memories).__name__}; give a list of texts or dictionaries, a DataFrame "
            "or a path"
        )
    return checked((f"memory {position}", given) for position, given in enumerate(memories))


def checked(given: Iterable[tuple[str, Any]]) -> Memories:
    """Check memories, given pairs of where one stands and what it is.

    Raises:
        InputError: see :func:`read_memories`.
    """
    items = tuple(_item(where, value) for where, value in given)
    if not items:
        raise InputError("there are no memories; give one or more")
    for name in ("id", "cost", "relevance"):
        without = [item for item in items if getattr(item, name) is None]
        if 0 < len(without) < len(items):
            raise InputError(f"{without[0].where} has no {name} but others have; give one to each memory or to none")
    if items[0].id is not None:
        seen: dict[Hashable, str] = {}
        for item in items:
            if item.id in seen:
                raise InputError(f"{seen[item.id]} and {item.where} have the same id {item.id!r}; give each its own")
            seen[item.id] = item.where
    return Memories(items)


def _item(where: str, given: Any) -> Item:
    if isinstance(given, str):
        return Item(_text(where, given), given=given, where=where)
    if not isinstance(given, Mapping):
        raise InputError(f"{where} is of type {type(given).__name__}; give a text, or a dictionary with the key text")
    if "text" not in given:
        other = next((name for name in _OTHER_NAMES if name in given), None)
        hint = f"rename {other!r}, or name the product it comes from with source" if other else "add it"
        raise InputError(f"{where} has no text but {', '.join(map(str, given)) or 'nothing'}; {hint}")
    metadata = given.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        metadata = {"metadata": metadata}
    identifier = given.get("id")
    try:
        hash(identifier)
    except TypeError:
        raise InputError(f"{where} has the id {identifier!r}; give a text or a number") from None
    return Item(
        text=_text(where, given["text"]),
        id=identifier,
        cost=number(where, "cost", given.get("cost"), positive=True),
        relevance=number(where, "relevance", given.get("relevance")),
        time=_plain(given.get("time")),
        role=_plain(given.get("role")),
        metadata={**metadata, **{str(key): value for key, value in given.items() if key not in FIELDS}},
        given=given,
        where=where,
    )


def _text(where: str, text: Any) -> str:
    if not isinstance(text, str):
        raise InputError(f"{where} has the text {text!r}, of type {type(text).__name__}; give a text")
    if not text.strip():
        raise InputError(f"{where} has an empty text; remove the memory or say what it holds")
    return text


def number(where: str, name: str, value: Any, *, positive: bool = False) -> float | None:
    """A finite number, ``None`` if there is none.

    Raises:
        InputError: it is something else, or not positive where it must be.
    """
    if value is None:
        return None
    try:
        found = value if isinstance(value, int) and not isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        found = math.nan
    if isinstance(value, bool) or not math.isfinite(found):
        raise InputError(f"{where} has the {name} {value!r}; give a finite number")
    if positive and found <= 0:
        raise InputError(f"{where} has the {name} {value!r}; give a number above zero")
    return found


def _plain(value: Any) -> str | None:
    return None if value is None else str(value)


def _missing(value: Any) -> bool:
    """Whether a table's cell is empty."""
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or type(value).__name__ in ("NAType", "NaTType")
    )
