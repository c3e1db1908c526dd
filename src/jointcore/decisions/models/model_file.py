"""Reads and checks ``config/models.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jointcore.decisions.catalogue import load_judge
from jointcore.decisions.models.entry import ModelEntry, entry_problems
from jointcore.documents import read_yaml, schema_problems
from jointcore.errors import InputError


def read_models(path: str | Path, schema: Mapping[str, Any]) -> dict[str, ModelEntry]:
    """The entries of a models file, by key, in its order.

    Args:
        path: the file.
        schema: its JSON schema, ``workflow/schemas/models.schema.yaml``.

    Raises:
        InputError: names every mistake, its key and the remedy.
    """
    document = read_yaml(path)
    problems = schema_problems(document, schema, str(path))
    entries = {}
    if not problems:
        for key, settings in document["models"].items():
            entry = entries[key] = ModelEntry.from_settings(key, settings)
            problems += [f"{path} key models/{key} {problem}" for problem in entry_problems(entry)]
            problems += _kind_problems(entry, f"{path} key models/{key}")
    if problems:
        raise InputError("; and ".join(problems))
    return entries


def _kind_problems(entry: ModelEntry, where: str) -> list[str]:
    try:
        kind = load_judge(entry.kind)
    except ValueError as error:
        return [f"{where}/kind: {error}"]
    return kind.problems(entry.settings, f"{where}/settings")


def choose_models(entries: Mapping[str, ModelEntry], keys: list[str]) -> list[ModelEntry]:
    """The entries of some keys, in the order of the keys.

    Raises:
        InputError: an unknown or repeated key.
    """
    for position, key in enumerate(keys):
        if key not in entries:
            raise InputError(f"model {key!r} has no entry; known are {', '.join(entries)}")
        if key in keys[:position]:
            raise InputError(f"model {key!r} is named twice; name each once")
    return [entries[key] for key in keys]
