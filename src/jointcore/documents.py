"""YAML documents: reading, laying one over another, and what a JSON schema has against one."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from jointcore.errors import InputError


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file.

    Raises:
        InputError: the file is missing or not YAML.
    """
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; restore it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); make it a readable file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text; save it as UTF-8") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        raise InputError(f"{path} is not valid YAML ({line}{error.problem or error.context}); correct it") from error
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not valid YAML ({' '.join(str(error).split())}); correct it") from error


def retyped(value: Any) -> Any:
    """A value with every text in it read as YAML: ``--config 'selection={budget: 3}'`` arrives as texts."""
    if isinstance(value, Mapping):
        return {key: retyped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [retyped(item) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return yaml.safe_load(value)
    except yaml.YAMLError:
        return value


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
