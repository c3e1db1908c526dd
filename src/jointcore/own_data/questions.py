"""Reads a file of questions about text memories, one JSON object a line, and checks all of it before any call.

``{"id": …, "query": …, "answers": […], "memories": […]}``; instead of ``memories`` a line may name a file in
``memories_file``, relative to the file of questions; ``answers`` may be left out where the configuration gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from jointcore.errors import InputError
from jointcore.memories.files import read_document
from jointcore.memories.items import Memories, read_memories
from jointcore.memories.preparing import question_of, with_costs, with_relevance
from jointcore.tasks.question import Question

KEYS = ("id", "query", "answers", "memories", "memories_file")


@dataclass(frozen=True)
class AskedQuestion:
    """A question of the file.

    Attributes:
        id: its identity in every result.
        query: what is asked.
        answers: what can be answered.
        memories: the memories as read, without costs and relevance that they do not bring.
    """

    id: str
    query: str
    answers: tuple[str, ...]
    memories: Memories

    def ready(self, count_tokens: Callable[[str], int] | None, relevance: str | None) -> Question:
        """The question as a search and a judge see it.

        Args:
            count_tokens: the cost of a text, for memories that bring none; words by default.
            relevance: how memories are ranked that bring no relevance, see :func:`jointcore.memories.relevance.rank`.

        Raises:
            InputError: see :func:`jointcore.memories.relevance.rank`.
        """
        own = self.memories[0].relevance is not None
        valued, _ = with_costs(self.memories, None, count_tokens)
        valued, _ = with_relevance(valued, self.query, None if own else relevance)
        return question_of(valued, self.query, self.answers, self.id)


def read_questions(path: str | Path, answers: Sequence[str] | None = None) -> list[AskedQuestion]:
    """The questions of a file, in its order.

    Args:
        path: a JSONL file.
        answers: the answers of a question that brings none.

    Raises:
        InputError: the file or a file of memories cannot be read, or a question lacks a part, has an unknown key, an
            id of another one, or answers or memories that are no good; the line is named.
    """
    path = Path(path)
    if path.suffix not in (".jsonl", ".ndjson"):
        raise InputError(f"{path} does not end in .jsonl; give a file with one question, a JSON object, a line")
    found: dict[str, AskedQuestion] = {}
    lines: dict[str, str] = {}
    for where, line in read_document(path):
        question = _question(path, where, line, answers)
        if question.id in found:
            raise InputError(f"{lines[question.id]} and {where} have the same id {question.id!r}; give each its own")
        found[question.id], lines[question.id] = question, where
    if not found:
        raise InputError(f"{path} holds no question; give one or more")
    return list(found.values())


def memory_files(path: str | Path) -> list[str]:
    """The files of memories that a file of questions names; call it after :func:`read_questions`."""
    path = Path(path)
    return sorted(
        {str(path.parent / line["memories_file"]) for _, line in read_document(path) if "memories_file" in line}
    )


def _question(path: Path, where: str, line: Any, answers: Sequence[str] | None) -> AskedQuestion:
    if not isinstance(line, Mapping):
        raise InputError(f"{where} is of type {type(line).__name__}; give an object with {', '.join(KEYS[:-1])}")
    for key in line:
        if key not in KEYS:
            close = get_close_matches(key, KEYS, 1)
            hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(KEYS)}"
            raise InputError(f"{where} has the unknown key {key!r}; {hint}")
    identifier, query = line.get("id"), line.get("query")
    if isinstance(identifier, bool) or not isinstance(identifier, str | int) or not str(identifier).strip():
        raise InputError(f"{where} has the id {identifier!r}; give a text or a whole number")
    if not isinstance(query, str) or not query.strip():
        raise InputError(f"{where} has the query {query!r}; give a text")
    if ("memories" in line) == ("memories_file" in line):
        both = "both" if "memories" in line else "neither of"
        raise InputError(f"{where} has {both} memories and memories_file; give one")
    if "memories_file" in line:
        if not isinstance(line["memories_file"], str):
            raise InputError(f"{where} has the memories_file {line['memories_file']!r}; give a path")
        given: Any = path.parent / line["memories_file"]
    else:
        given = line["memories"]
        if not isinstance(given, list):
            raise InputError(f"{where} has memories of type {type(given).__name__}; give a list")
    try:
        memories = read_memories(given)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    names = [item.id for item in memories]
    if names[0] is not None and len(set(map(str, names))) < len(names):
        raise InputError(f"{where}: two memories have ids that read alike; give each its own")
    return AskedQuestion(str(identifier), query, _answers(where, line.get("answers", answers)), memories)


def _answers(where: str, answers: Any) -> tuple[str, ...]:
    if answers is None:
        raise InputError(f"{where} has no answers, and config key own_data/answers gives none; add them to either")
    sound = isinstance(answers, list | tuple) and all(isinstance(answer, str) and answer.strip() for answer in answers)
    if not sound or len(answers) < 2 or len(set(answers)) < len(answers):
        raise InputError(f"{where} has the answers {answers!r}; give a list of at least two different texts")
    return tuple(answers)
