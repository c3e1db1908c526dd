"""Turns a query into a chat prompt and its labels (paper, sections on prompts, interfaces and label styles).

The words are in one template file, a YAML mapping of Jinja texts (``config/prompts/default.yaml`` explains
its keys), so that a user can replace them. Here is only what the words are filled with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from jinja2 import TemplateError

from jointcore.decisions.prompts.interfaces import shown_records
from jointcore.decisions.prompts.label_styles import Answers, label_style
from jointcore.decisions.prompts.template_file import TemplateFile, read_template, variables_of
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.logic.rules.threshold import threshold
from jointcore.tasks.question import Question
from jointcore.tasks.task import ACTIONS, TERMINAL


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a language model is asked.

    Attributes:
        messages: chat messages, each a dictionary with ``role`` and ``content``.
        labels: the allowed answers in order; the first wins a tie.
        actions: the action that each label stands for.
    """

    messages: tuple[dict[str, str], ...]
    labels: tuple[str, ...]
    actions: tuple[Hashable, ...]


class PromptTemplate:
    """The wording of every prompt, read from one file; make it with :meth:`load`.

    Attributes:
        path: the template file.
        digest: SHA-256 of the file's bytes.
    """

    def __init__(self, file: TemplateFile) -> None:
        self._file = file
        self.path = file.path
        self.digest = file.digest
        self._line = lru_cache(maxsize=2**16)(self._record_line)
        self._condition = lru_cache(maxsize=2**12)(self._condition_text)

    @classmethod
    def load(cls, path: str | Path) -> PromptTemplate:
        """Read and check a template file.

        Raises:
            InputError: the file is missing or not YAML, or a part is missing, unknown, not valid Jinja, uses
                an unknown variable or lacks a needed one; the sentence names the part and the variable.
        """
        return cls(read_template(path))

    def render(self, query: Query) -> Prompt:
        """The prompt of a query.

        The terminal prompt depends on the question, the workflow action and the label style only.

        Raises:
            InputError: the file has no text for the question's kind of condition, or the query names an unknown
                interface, label style or workflow action.
        """
        labels, actions = self.answers(query)
        question = query.question
        words: dict[str, Any] = {
            "first_label": labels[0],
            "second_label": labels[1],
            "first_action": actions[0],
            "second_action": actions[1],
            "labels": labels,
            "actions": actions,
        }
        setting: dict[str, Any] = dict(question.setting)
        step = "workflow" if query.workflow_action is None else "terminal"
        if step == "terminal":
            setting["workflow_action"] = query.workflow_action
        else:
            condition = self._condition(_Condition.of(question))
            satisfied = question.condition.action
            others = [action for action in question.actions if action != satisfied]
            words |= {"condition": condition, "satisfied_action": satisfied, "other_action": others[0]}
            setting["condition"] = condition
            lines = (self._line(r.id, r.name, r.type, value) for r, value in shown_records(query))
            setting["records"] = "\n".join(lines)
        setting["question"] = self._fill(f"questions.{step}.{query.label_style}", words)
        user = {"role": "user", "content": self._fill(step, setting)}
        messages = ({"role": "system", "content": self._system}, user) if self._system else (user,)
        return Prompt(messages, labels, actions)

    def answers(self, query: Query) -> Answers:
        """The labels of a query in order and the actions that they stand for.

        Raises:
            InputError: the query names an unknown label style or workflow action, or a style that does not fit
                its question or has no wording in this file.
        """
        slug, question, action = query.label_style, query.question, query.workflow_action
        style = label_style(slug)
        if action is not None and (action not in question.actions or not question.terminal):
            known = ", ".join(map(str, question.actions)) if question.terminal else "none: it has no terminal step"
            raise InputError(f"workflow action {action!r} is unknown; choose one of {known}")
        if style.own_labels and slug not in self._file.labels:
            raise InputError(f"{self.path} has no labels for the label style {slug}; add labels.{slug} to the file")
        return style.answers(query, self._file.labels.get(slug, ()))

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that a prompt may offer, sorted."""
        own = (label for pair in self._file.labels.values() for label in pair)
        return tuple(sorted({*own, *ACTIONS, *TERMINAL.values()}))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The kinds of condition that the file has words for."""
        return tuple(part.partition(".")[2] for part in self._file.texts if part.startswith("conditions."))

    @property
    def styles(self) -> tuple[str, ...]:
        """The label styles that the file has questions for."""
        return tuple(part.rpartition(".")[2] for part in self._file.texts if part.startswith("questions.workflow."))

    @cached_property
    def _system(self) -> str:
        return self._fill("system", {})

    def _record_line(self, identifier: int, name: str, type_: str, value: str) -> str:
        return self._fill("record", {"id": identifier, "name": name, "type": type_, "value": value})

    def _condition_text(self, condition: _Condition) -> str:
        by_type: dict[str, list[str]] = defaultdict(list)
        for name, type_, _ in condition.contents:
            by_type[type_].append(name)
        variables = {
            "text": condition.text,
            "support": [SimpleNamespace(name=n, type=t, value=v) for n, t, v in condition.contents],
            "by_type": dict(by_type),
            "needed": threshold(condition.contents),
        }
        return self._fill(f"conditions.{condition.kind}", variables)

    def _fill(self, part: str, variables: dict[str, Any]) -> str:
        if part not in self._file.texts:
            raise InputError(f"{self.path} has no text for this question; add {part} to the file")
        try:
            return self._file.texts[part].render(variables).strip()
        except TemplateError as error:
            known = ", ".join(variables_of(part).known)
            raise InputError(
                f"prompt template {self.path}: {part} cannot be filled in ({error}); its variables are {known}"
            ) from error


class _Condition(NamedTuple):
    """What a condition's text depends on."""

    kind: str
    text: str
    contents: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, question: Question) -> _Condition:
        kind, text, required, _ = question.condition
        records = (question.records[i] for i in required)
        return cls(kind, text, tuple((record.name, record.type, record.value) for record in records))
