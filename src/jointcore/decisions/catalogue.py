"""Finds the judges: every module of :mod:`jointcore.decisions.judges` holds one kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jointcore.catalogue import Catalogue
from jointcore.decisions import judges as package
from jointcore.decisions.protocol import Judge
from jointcore.documents import schema_problems


@dataclass(frozen=True, slots=True)
class JudgeKind:
    """A kind of judge.

    Attributes:
        slug: its name in ``config/models.yaml``; that of its function and module.
        name: its name for a reader.
        settings: JSON schema of each of its settings, by name.
        required: the settings that have no default.
        start: opens a judge, given its entry, the folder of its store, and its settings.
    """

    slug: str
    name: str
    settings: Mapping[str, Any]
    required: tuple[str, ...]
    start: Callable[..., Any]

    def problems(self, settings: Mapping[str, Any], name: str) -> list[str]:
        """What is wrong with an entry's ``settings``, a sentence each; ``name`` says where they stand."""
        schema = {
            "type": "object",
            "additionalProperties": False,
            "properties": dict(self.settings),
            "required": list(self.required),
        }
        return schema_problems(dict(settings), schema, name)


def judge(*, name: str, settings: Mapping[str, Any] | None = None) -> Callable[[Callable[..., Any]], JudgeKind]:
    """Register the decorated generator function as a kind of judge.

    The function takes the judge's entry (:class:`jointcore.decisions.models.entry.ModelEntry`) and the folder of
    its store, and by keyword-only arguments its settings; it yields the judge once, and closes it after that.

    Args:
        name: the kind's name for a reader.
        settings: JSON schema of each setting, by name.

    Raises:
        TypeError: the function's keyword-only arguments and the settings differ.
    """

    def register(function: Callable[..., Iterator[Judge]]) -> JudgeKind:
        given = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
        if {p.name for p in given} != set(settings or {}):
            raise TypeError(
                f"judge {function.__name__} has the settings {', '.join(settings or {})} but the keyword-only "
                f"arguments {', '.join(p.name for p in given)}; declare each setting in both"
            )
        required = tuple(p.name for p in given if p.default is p.empty)
        return JudgeKind(function.__name__, name, settings or {}, required, contextmanager(function))

    return register


_JUDGES = Catalogue(package, JudgeKind, "judge")
module_name = _JUDGES.module_name
load_judge = _JUDGES.load


@contextmanager
def open_judge(entry: Any, store: str | Path) -> Iterator[Judge]:
    """Open the judge of an entry in ``config/models.yaml``.

    Args:
        entry: the entry; its ``kind`` names the judge.
        store: folder in which the judge may keep its answers; several processes may share it.

    Raises:
        ValueError: there is no such kind.
        InputError: what the kind itself finds wrong.
    """
    with load_judge(entry.kind).start(entry, Path(store), **entry.settings) as opened:
        yield opened
