"""Checks a configuration before any job runs; every mistake is named with its key and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from jointcore.cohort.plan import plan_problems
from jointcore.errors import InputError
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.grid import Cell, Grid, grid_problems


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file.

    Raises:
        InputError: the file is missing or not YAML.
    """
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; restore it") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not valid YAML ({' '.join(str(error).split())}); correct it") from error


def merged(defaults: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Defaults with changes laid over them, section by section; a list or a value replaces the old one."""
    result = dict(defaults)
    for key, value in changes.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if both else value
    return result


def schema_problems(document: Any, schema: Mapping[str, Any], name: str) -> list[str]:
    """What a JSON schema has against a document, a sentence each, with the key and the remedy.

    Args:
        document: what a YAML file holds.
        schema: JSON schema, draft 2020-12.
        name: what the document is called in the sentences.
    """
    errors = sorted(Draft202012Validator(schema).iter_errors(document), key=lambda e: [str(p) for p in e.absolute_path])
    return [sentence for error in errors for sentence in _sentences(error, name)]


def check_configuration(config: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check a whole configuration.

    Raises:
        InputError: names every mistake, its key and the remedy.
    """
    problems = schema_problems(config, schema, "config")
    if not problems:
        checks = (_grid_problems, _method_problems, _cohort_problems, _example_problems)
        problems = [problem for check in checks for problem in check(config)]
    if problems:
        raise InputError("; and ".join(problems))


def exact_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the exact stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["exact"], "exact")


def model_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the model stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["model"], "model")


def _grid_problems(config: Mapping[str, Any]) -> list[str]:
    shared = ("domains", "families", "costs")
    found = []
    for stage, grid in (("exact", exact_grid(config)), ("model", model_grid(config))):
        for problem in grid_problems(grid):
            place = "benchmark" if problem.startswith(shared) else f"benchmark/{stage}"
            sentence = f"config key {place}/{problem}"
            if sentence not in found:
                found.append(sentence)
    return found


def _method_problems(config: Mapping[str, Any]) -> list[str]:
    found = []
    for stage, wanted in config["methods"].items():
        try:
            choose_methods(wanted)
        except ValueError as error:
            found.append(f"config key methods/{stage}: {error}")
    return found


def _cohort_problems(config: Mapping[str, Any]) -> list[str]:
    return [f"config key cohort/models/{problem}" for problem in plan_problems(config["cohort"]["models"])]


def _example_problems(config: Mapping[str, Any]) -> list[str]:
    cell = Cell(**config["worked_example"])
    if cell in set(exact_grid(config).cells()):
        return []
    return [
        "config key worked_example: no condition of the exact grid has these values; "
        "choose values that benchmark/exact, benchmark/domains and benchmark/families list"
    ]


def _sentences(error: ValidationError, name: str) -> list[str]:
    key = "/".join(map(str, error.absolute_path))
    where = f"{name} key {key}" if key else name
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = list(error.schema.get("properties", {}))
        found = []
        for unknown in [str(k) for k in error.instance if k not in known]:
            close = get_close_matches(unknown, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
            found.append(f"{name} key {f'{key}/' if key else ''}{unknown} is unknown; {hint}")
        return found
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return [f"{where} lacks {', '.join(missing)}; add it"]
    remedy = error.schema.get("description", "see config/README.md").rstrip(".")
    return [f"{where}: {_complaint(error)}; give {remedy[0].lower() + remedy[1:]}"]


def _complaint(error: ValidationError) -> str:
    value = f"{error.instance!r}"
    value = value if len(value) <= 60 else value[:57] + "..."
    if error.validator == "type":
        return f"{value} is not of type {error.validator_value}"
    if error.validator == "enum":
        return f"{value} is none of {', '.join(map(str, error.validator_value))}"
    if error.validator in ("minimum", "maximum"):
        return f"{value} is outside the range ({error.validator} {error.validator_value})"
    if error.validator == "uniqueItems":
        return f"{value} repeats a value"
    if error.validator in ("minItems", "maxItems"):
        return f"{value} has {len(error.instance)} values"
    return f"{value} does not fit"
