"""Reads and checks a prompt template file; :mod:`jointcore.decisions.prompts.template` fills it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from jointcore.errors import InputError
from jointcore.hashing import sha256_file

KIND = "jointcore prompt template, version 1"


class Variables(NamedTuple):
    """The variables that a part must use, and those that it may use besides."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        """All of them."""
        return self.needed + self.optional


_LABELS = ("first_label", "second_label")
_MEANINGS = ("first_action", "second_action")
_RULE = ("satisfied_action", "other_action")

#: The texts of a file by dotted key; those under ``conditions`` are one for each family.
PARTS: dict[str, Variables] = {
    "system": Variables(),
    "workflow": Variables(("domain", "horizon", "condition", "records", "question")),
    "terminal": Variables(("domain", "horizon", "workflow_action", "question")),
    "record": Variables(("id", "name", "type", "value")),
    "questions.workflow.boolean": Variables(_LABELS, ("condition", *_RULE, *_MEANINGS)),
    "questions.workflow.direct": Variables(_LABELS + _RULE, ("condition", *_MEANINGS)),
    "questions.workflow.ab": Variables(_LABELS + _RULE + _MEANINGS, ("condition",)),
    "questions.terminal.boolean": Variables(_LABELS, _MEANINGS),
    "questions.terminal.direct": Variables(_LABELS, _MEANINGS),
    "questions.terminal.ab": Variables(_LABELS + _MEANINGS),
}
CONDITION = Variables((), ("support", "by_type", "needed"))
LABELS = ("boolean", "ab")


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a checked template file.

    Attributes:
        path: the file.
        digest: SHA-256 of its bytes.
        texts: compiled texts by dotted key.
    """

    path: Path
    digest: str
    texts: dict[str, Template]


@dataclass(frozen=True, slots=True)
class TemplateFile(Texts):
    """A checked template file of the benchmark.

    Attributes:
        labels: the two labels of the styles whose labels are not the actions themselves.
    """

    labels: dict[str, tuple[str, str]]


def variables_of(part: str) -> Variables:
    """The variables of a part, by its dotted key."""
    return CONDITION if part.startswith("conditions.") else PARTS[part]


def read_template(path: str | Path) -> TemplateFile:
    """Read and check a template file.

    Raises:
        InputError: see :meth:`jointcore.decisions.prompts.template.PromptTemplate.load`.
    """
    path = Path(path)
    content = _content(path, KIND)
    labels = _labels(path, content.pop("labels", None))
    given = dict(_flatten(content))
    for part in PARTS:
        if part not in given:
            raise InputError(f"prompt template {path} lacks {part!r}; add it (config/prompts/default.yaml shows how)")
    for part in given:
        if part not in PARTS and not (part.startswith("conditions.") and part.count(".") == 1):
            raise InputError(f"prompt template {path} has an unknown key {part!r}; remove or correct it")
    if not any(part.startswith("conditions.") for part in given):
        raise InputError(f"prompt template {path} lacks 'conditions'; add one text for each family")
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    texts = {part: _compile(environment, path, part, text, variables_of(part)) for part, text in given.items()}
    return TemplateFile(path, sha256_file(path), texts, labels)


def read_texts(path: str | Path, kind: str, parts: Mapping[str, Variables], optional: tuple[str, ...]) -> Texts:
    """Read and check a file that holds exactly these parts, none below another.

    Args:
        path: the file.
        kind: what its key ``kind`` says.
        parts: the variables of each part.
        optional: parts that may be empty.

    Raises:
        InputError: the file is missing or not YAML, or a part is missing, unknown, not valid Jinja, uses an unknown
            variable or lacks a needed one.
    """
    path = Path(path)
    content = _content(path, kind)
    for part in content:
        if part not in parts:
            raise InputError(f"prompt template {path} has an unknown key {part!r}; known are {', '.join(parts)}")
    for part in parts:
        if part not in content:
            raise InputError(f"prompt template {path} lacks {part!r}; add it")
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    texts = {part: _compile(environment, path, part, content[part], parts[part], optional) for part in parts}
    return Texts(path, sha256_file(path), texts)


def _content(path: Path, kind: str) -> dict[str, Any]:
    """What a template file of a kind holds besides the kind."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"prompt template {path} does not exist; correct the path") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(
            f"prompt template {path} cannot be read as YAML ({str(error).splitlines()[0]}); correct the file"
        ) from error
    if not isinstance(content, dict) or content.get("kind") != kind:
        raise InputError(f"{path} is not a prompt template of this version; its first key must be 'kind: {kind}'")
    del content["kind"]
    return content


def _flatten(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _labels(path: Path, given: Any) -> dict[str, tuple[str, str]]:
    if not isinstance(given, dict) or set(given) != set(LABELS):
        raise InputError(f"prompt template {path} needs 'labels' with exactly the keys {', '.join(LABELS)}")
    for style, pair in given.items():
        sound = isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) and x.strip() for x in pair)
        if not sound or pair[0] == pair[1]:
            raise InputError(
                f"prompt template {path}: labels.{style} is {pair!r}; give two different words in quotes "
                "(YAML reads a bare YES or NO as true or false)"
            )
    return {style: (pair[0], pair[1]) for style, pair in given.items()}


def _compile(
    environment, path: Path, part: str, text: Any, variables: Variables, optional: tuple[str, ...] = ("system",)
) -> Template:
    if not isinstance(text, str) and not (part in optional and text is None):
        raise InputError(f"prompt template {path}: {part} is {text!r}; give a text")
    text = text or ""
    try:
        used = meta.find_undeclared_variables(environment.parse(text))
        template = environment.from_string(text)
    except TemplateError as error:
        raise InputError(f"prompt template {path}: {part} is not a valid Jinja text ({error})") from error
    known = ", ".join(variables.known) or "none"
    for name in sorted(used - set(variables.known)):
        raise InputError(f"prompt template {path}: {part} uses the unknown variable {name!r}; known are {known}")
    for name in variables.needed:
        if name not in used:
            raise InputError(
                f"prompt template {path}: {part} lacks the variable {name!r}; write {{{{ {name} }}}} in it"
            )
    return template
