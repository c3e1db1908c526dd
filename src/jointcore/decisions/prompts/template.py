"""Turns a query into a chat prompt and its labels (paper, sections on prompts, interfaces and label styles).

The words are in one template file, a YAML mapping of Jinja texts (``config/prompts/default.yaml`` explains
its keys), so that a user can replace them. Here is only what the words are filled with.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import Template, TemplateError

from jointcore.decisions.prompts.interfaces import shown_records
from jointcore.decisions.prompts.template_file import TemplateFile, read_template, variables_of
from jointcore.decisions.protocol import LABEL_STYLES, TERMINAL, Query
from jointcore.errors import InputError
from jointcore.hashing import stable_seed
from jointcore.logic.rules.threshold import threshold
from jointcore.tasks.generate import ACTIONS
from jointcore.tasks.task import Task


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
    actions: tuple[str, ...]


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

        The terminal prompt depends on the task, the workflow action and the label style only.

        Raises:
            InputError: the template has no condition for the task's family, or the query names an unknown
                interface, label style or workflow action.
        """
        terminal = query.workflow_action is not None
        labels, actions = self.answers(query)
        words: dict[str, Any] = {
            "first_label": labels[0],
            "second_label": labels[1],
            "first_action": actions[0],
            "second_action": actions[1],
        }
        task = query.task
        setting: dict[str, Any] = {"domain": task.domain, "horizon": task.horizon_label}
        step = "terminal" if terminal else "workflow"
        if terminal:
            setting["workflow_action"] = query.workflow_action
        else:
            condition = self._condition(_Support.of(task))
            words |= {
                "condition": condition,
                "satisfied_action": task.satisfied_action,
                "other_action": _other(ACTIONS, task.satisfied_action),
            }
            setting["condition"] = condition
            lines = (self._line(r.id, r.name, r.type, value) for r, value in shown_records(query))
            setting["records"] = "\n".join(lines)
        setting["question"] = self._fill(f"questions.{step}.{query.label_style}", words)
        user = {"role": "user", "content": self._fill(step, setting)}
        messages = ({"role": "system", "content": self._system}, user) if self._system else (user,)
        return Prompt(messages, labels, actions)

    def answers(self, query: Query) -> tuple[tuple[str, str], tuple[str, str]]:
        """The labels of a query in order and the actions that they stand for.

        Under ``ab`` the first letter means EXECUTE (COMMIT in the terminal step) where a hash of the task
        is even, so that letters and actions are counterbalanced.

        Raises:
            InputError: the query names an unknown label style or workflow action.
        """
        style, task = query.label_style, query.task
        if style not in LABEL_STYLES:
            raise InputError(f"label style {style!r} is unknown; choose one of {', '.join(LABEL_STYLES)}")
        terminal = query.workflow_action is not None
        if terminal and query.workflow_action not in TERMINAL:
            raise InputError(
                f"workflow action {query.workflow_action!r} is unknown; choose one of {', '.join(TERMINAL)}"
            )
        offered = tuple(TERMINAL.values()) if terminal else ACTIONS
        if style == "ab":
            salt = "terminal-ab-map" if terminal else "ab-map"
            even = stable_seed(task.paper_task_id, salt) % 2 == 0
            return self._file.labels["ab"], offered if even else offered[::-1]
        if style == "boolean" and not terminal:
            satisfied = task.satisfied_action
            return self._file.labels["boolean"], (satisfied, _other(ACTIONS, satisfied))
        return offered, offered

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that a prompt may offer, sorted."""
        own = (label for pair in self._file.labels.values() for label in pair)
        return tuple(sorted({*own, *ACTIONS, *TERMINAL.values()}))

    @cached_property
    def _system(self) -> str:
        return self._fill("system", {})

    def _record_line(self, identifier: int, name: str, type_: str, value: str) -> str:
        return self._fill("record", {"id": identifier, "name": name, "type": type_, "value": value})

    def _condition_text(self, support: _Support) -> str:
        part = f"conditions.{support.family}"
        if part not in self._file.texts:
            raise InputError(f"{self.path} has no condition for the family {support.family!r}; add {part} to the file")
        records = [SimpleNamespace(name=n, type=t, value=v) for n, t, v in support.contents]
        by_type: dict[str, list[str]] = defaultdict(list)
        for record in records:
            by_type[record.type].append(record.name)
        variables = {
            "support": records,
            "by_type": dict(by_type),
            "needed": threshold(range(len(records))),
        }
        return self._fill(part, variables)

    def _fill(self, part: str, variables: dict[str, Any]) -> str:
        text: Template = self._file.texts[part]
        try:
            return text.render(variables).strip()
        except TemplateError as error:
            known = ", ".join(variables_of(part).known)
            raise InputError(
                f"prompt template {self.path}: {part} cannot be filled in ({error}); its variables are {known}"
            ) from error


@dataclass(frozen=True, slots=True)
class _Support:
    """What a condition's text depends on."""

    family: str
    contents: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, task: Task) -> _Support:
        records = (task.records[i] for i in task.support)
        return cls(task.family, tuple((record.name, record.type, record.value) for record in records))


def _other(pair: tuple[str, str], one: str) -> str:
    return pair[1 - pair.index(one)]
