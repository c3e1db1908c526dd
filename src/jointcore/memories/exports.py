"""Reads what other products export; each format is a module of :mod:`jointcore.memory_sources`.

A reader is a function from the loaded document and :class:`Notes` to cases. Nothing that a document holds is dropped
in silence: a reader says what it leaves out and what it finds wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jointcore import memory_sources as package
from jointcore.catalogue import Catalogue
from jointcore.errors import InputError
from jointcore.memories.files import read_document
from jointcore.memories.items import Memories, checked

#: How many ids a sentence names.
_NAMED = 5


@dataclass(frozen=True)
class Case:
    """Memories that belong together, with the question about them where the document asks one.

    Attributes:
        id: tells it from the document's others.
        memories: dictionaries as of :func:`jointcore.memories.items.read_memories`, in presentation order.
        query: the question, if there is one.
        about: what the document says of the question, such as the answer; no judge is shown it.
    """

    id: str
    memories: Sequence[Mapping[str, Any]]
    query: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


class Notes:
    """What a reader says: a sentence for each kind of thing, with the ids that it is about.

    Attributes:
        name: the document, for messages.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._found: dict[str, list[str]] = {}

    def say(self, sentence: str, about: Any = None) -> None:
        """Say a sentence once, whatever the number of things it is about."""
        self._found.setdefault(sentence, []).extend([] if about is None else [str(about)])

    def sentences(self) -> list[str]:
        """All sentences, each with the number and the first of what it is about."""
        return [f"{self.name}: {sentence}{_named(about)}" for sentence, about in self._found.items()]

    def wrong(self, what: str) -> InputError:
        """The error that the document is none of this source."""
        return InputError(f"{self.name}: {what}")


def _named(about: Sequence[str]) -> str:
    if not about:
        return ""
    more = f" and {len(about) - _NAMED} more" if len(about) > _NAMED else ""
    return f" ({len(about)}: {', '.join(about[:_NAMED])}{more})"


Reader = Callable[[Any, Notes], Iterable[Case]]


@dataclass(frozen=True, slots=True)
class Source:
    """A product or data set.

    Attributes:
        slug: its name; that of its reader and module.
        name: its name for a reader.
        read: the reader.
    """

    slug: str
    name: str
    read: Reader


def source(*, name: str) -> Callable[[Reader], Source]:
    """Register the decorated reader as a source."""
    return lambda read: Source(read.__name__, name, read)


SOURCES = Catalogue(package, Source, "source")


def read_cases(document: Any, wanted: str | Reader) -> tuple[list[Case], list[str]]:
    """The cases of an export, and what is to be said of it.

    Args:
        document: a path to JSON, JSONL or ``.af``, or what such a file holds.
        wanted: a name of :mod:`jointcore.memory_sources`, or a reader.

    Raises:
        InputError: there is no such source, or the document is none of it.
    """
    if isinstance(wanted, str):
        try:
            read = SOURCES.load(wanted).read
        except ValueError as error:
            raise InputError(f"{error}; choose one of these, or give a reader") from None
    else:
        read = wanted.read if isinstance(wanted, Source) else wanted
    name = "the export"
    if isinstance(document, str | Path):
        name, path = str(document), Path(document)
        document = read_document(path)
        if path.suffix.lower() not in (".json", ".af"):
            document = [row for _, row in document]
    notes = Notes(name)
    cases = list(read(document, notes))
    if not cases:
        raise notes.wrong("there are no memories; export some")
    return cases, notes.sentences()


def read_export(document: Any, wanted: str | Reader, case: str | None = None) -> Memories:
    """The memories of one case; see :func:`read_cases`.

    Raises:
        InputError: the document holds several cases and none is chosen, or no such one.
    """
    cases, sentences = read_cases(document, wanted)
    names = [found.id for found in cases]
    if case is None and len(cases) > 1:
        raise InputError(f"the export holds {len(cases)} cases; choose one with case, such as {names[0]!r}")
    if case is not None and case not in names:
        raise InputError(
            f"the export has no case {case!r}; it holds {', '.join(names[:_NAMED])}{' …' * (len(names) > 5)}"
        )
    chosen = cases[0 if case is None else names.index(case)]
    read = checked((f"memory {position}", row) for position, row in enumerate(chosen.memories))
    return replace(read, warnings=tuple(sentences), query=chosen.query)


def listed(document: Any, notes: Notes, *keys: str) -> list[Any]:
    """The list that a document is, or that it holds under one of some keys.

    Raises:
        InputError: there is none.
    """
    if isinstance(document, Mapping):
        document = next((document[key] for key in keys if isinstance(document.get(key), list)), None)
    if not isinstance(document, list):
        raise notes.wrong(f"there is no list of memories, nor one under {' or '.join(keys)}; export it again")
    for position, row in enumerate(document):
        if not isinstance(row, Mapping):
            raise notes.wrong(f"item {position} is of type {type(row).__name__}, not an object; export it again")
    return document


def memory(row: Mapping[str, Any], notes: Notes, where: Any, **names: str | None) -> dict[str, Any] | None:
    """A memory from a row, ``None`` with a note where the row has no text.

    Args:
        row: what the export holds.
        notes: what is said.
        where: the row, for notes.
        names: the key in the row of ``text``, ``id``, ``time``, ``role`` and ``owner``; what remains is metadata.
    """
    text = row.get(names["text"])
    if not isinstance(text, str) or not text.strip():
        notes.say("memories without a text are left out", where)
        return None
    result = {"text": text}
    for part in ("id", "time", "role"):
        if names.get(part) and row.get(names[part]) is not None:
            result[part] = row[names[part]] if part == "id" else str(row[names[part]])
    rest = {key: value for key, value in row.items() if key not in names.values() and value not in (None, [], {}, "")}
    if names.get("owner") and row.get(names["owner"]) is not None:
        rest["owner"] = row[names["owner"]]
    return {**result, "metadata": rest} if rest else result


def flag(found: dict[str, Any], notes: Notes, word: str, where: Any) -> None:
    """Mark a memory that the product itself holds for no longer valid; it is kept, and said."""
    found.setdefault("metadata", {}).setdefault("flags", []).append(word)
    notes.say(f"memories that are {word} are kept, with a flag in their metadata", where)


def as_text(value: Any) -> str:
    """Any JSON value as one line of text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
