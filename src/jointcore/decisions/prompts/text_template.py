"""Turns a question about text memories into a chat prompt; its labels are the answers themselves.

The words are in one file; ``memories.yaml`` beside this module, which is used where no other is given, explains
its keys. What is shown for a memory that is left out is a matter of that file, whatever the query's interface.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Template, TemplateError

from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.prompts.template_file import Variables, compile_text, read_content
from jointcore.decisions.protocol import Query
from jointcore.documents import read_yaml
from jointcore.errors import InputError
from jointcore.hashing import sha256_file
from jointcore.tasks.question import TEXT

KIND = "jointcore prompt template for text memories, version 1"
DEFAULT = Path(__file__).with_name("memories.yaml")

_RECORD = ("id", "name", "type")
PARTS = {
    "system": Variables(),
    "user": Variables(("query", "answers", "records")),
    "record": Variables(("text",), _RECORD),
    "omitted": Variables((), _RECORD),
    "nothing": Variables(),
}


class TextPromptTemplate:
    """The wording of questions about text memories, read from one file; make it with :meth:`load`.

    Attributes:
        path: the template file.
        digest: SHA-256 of the file's bytes.
    """

    #: Labels that a template itself offers; here a question brings its own.
    labels: tuple[str, ...] = ()

    def __init__(self, path: Path, texts: dict[str, Template]) -> None:
        self._texts = texts
        self._line = lru_cache(maxsize=2**16)(self._record_line)
        self.path = path
        self.digest = sha256_file(path)

    @classmethod
    def load(cls, path: str | Path | None = None) -> TextPromptTemplate:
        """Read and check a template file, this package's by default.

        Raises:
            InputError: the file is missing or not YAML, or a part is missing, unknown, not valid Jinja, uses an
                unknown variable or lacks a needed one.
        """
        path = Path(path or DEFAULT)
        content = read_content(path, KIND)
        for part in content:
            if part not in PARTS:
                raise InputError(f"prompt template {path} has an unknown key {part!r}; known are {', '.join(PARTS)}")
        for part in PARTS:
            if part not in content:
                raise InputError(f"prompt template {path} lacks {part!r}; add it ({DEFAULT} shows how)")
        return cls(path, {part: compile_text(path, part, content[part], PARTS[part]) for part in PARTS})

    def render(self, query: Query) -> Prompt:
        """The prompt of a query about text memories.

        Raises:
            InputError: the question is none about text memories, one of its answers is no text, or the query shows
                altered records, which texts have none of.
        """
        question = query.question
        if question.condition.kind != TEXT:
            raise InputError(
                f"question {question.id} is of the kind {question.condition.kind!r}, but {self.path} words questions "
                "about text memories; choose another prompt template"
            )
        if query.altered or query.workflow_action is not None:
            raise InputError(
                f"question {question.id}: a text memory has no altered records and no terminal step; choose a method "
                "that asks for neither"
            )
        answers = question.actions
        for answer in answers:
            if not isinstance(answer, str) or not answer.strip():
                raise InputError(f"question {question.id} offers the answer {answer!r}; give every answer as a text")
        user = self._fill("user", query=question.condition.text, answers=list(answers), records=self._memory(query))
        message = {"role": "user", "content": user}
        messages = ({"role": "system", "content": self._system}, message) if self._system else (message,)
        return Prompt(messages, answers, answers)

    @cached_property
    def _system(self) -> str:
        return self._fill("system")

    def _memory(self, query: Query) -> str:
        lines = []
        for number in query.question.presentation:
            record = query.question.records[number]
            line = self._line(record.id, record.name, record.type, record.value, query.retained >> number & 1)
            lines += [line] if line else []
        return "\n".join(lines) or self._fill("nothing")

    def _record_line(self, identifier: int, name: str, kind: str, text: str, kept: int) -> str:
        about = {"id": identifier, "name": name, "type": kind}
        return self._fill("record", text=text, **about) if kept else self._fill("omitted", **about)

    def _fill(self, part: str, **variables: Any) -> str:
        try:
            return self._texts[part].render(variables).strip()
        except TemplateError as error:
            raise InputError(f"prompt template {self.path}: {part} cannot be filled in ({error})") from error


def load_any(path: str | Path | None = None) -> PromptTemplate | TextPromptTemplate:
    """The template of a file, for the benchmark or for text memories, as its key ``kind`` says.

    Raises:
        InputError: see both classes.
    """
    path = Path(path or DEFAULT)
    found = read_yaml(path)
    text = isinstance(found, dict) and found.get("kind") == KIND
    return (TextPromptTemplate if text else PromptTemplate).load(path)
