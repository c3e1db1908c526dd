"""Reads and checks a prompt template file; :mod:`jointcore.decisions.prompts.template` fills it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from jointcore.decisions.prompts.label_styles import LABEL_STYLES, LABELS, MEANINGS, RULE
from jointcore.errors import InputError
from jointcore.hashing import sha256_file
from jointcore.tasks.question import TEXT

KIND = "jointcore prompt template, version 1"
_ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=StrictUndefined)


class Variables(NamedTuple):
    """The variables that a part must use, and those that it may use besides."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        """All of them."""
        return self.needed + self.optional


#: What a question about a text has no need of, and what it cannot have.
_SETTING = ("domain", "horizon")
_QUESTIONS = {"workflow": (*LABELS, "condition", *RULE, *MEANINGS), "terminal": (*LABELS, *MEANINGS)}


def _question(known: tuple[str, ...], needs: tuple[str, ...]) -> Variables:
    needed = tuple(name for name in needs if name in known)
    return Variables(needed, (*(name for name in known if name not in needed), "labels", "actions"))


#: The texts of a file by dotted key; those under ``conditions`` are one for each kind of condition.
PARTS: dict[str, Variables] = {
    "system": Variables(),
    "workflow": Variables((*_SETTING, "condition", "records", "question")),
    "terminal": Variables((*_SETTING, "workflow_action", "question")),
    "record": Variables(("id", "name", "type", "value")),
    **{
        f"questions.{step}.{slug}": _question(known, style.needs)
        for step, known in _QUESTIONS.items()
        for slug, style in LABEL_STYLES.items()
    },
}
CONDITION = Variables((), ("support", "by_type", "needed", "text"))


@dataclass(frozen=True, slots=True)
class TemplateFile:
    """A checked template file.

    Attributes:
        path: the file.
        digest: SHA-256 of its bytes.
        texts: compiled texts by dotted key.
        labels: the two labels of each style whose labels are not the actions themselves.
    """

    path: Path
    digest: str
    texts: dict[str, Template]
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
    content = read_content(path, KIND)
    given_labels = content.pop("labels", None)
    given = dict(_flatten(content))
    conditions = {part for part in given if part.startswith("conditions.") and part.count(".") == 1}
    styles = [style for style in LABEL_STYLES if any(f"questions.{step}.{style}" in given for step in _QUESTIONS)]
    asks_texts = conditions == {f"conditions.{TEXT}"}
    for part in _needed_parts(styles or list(LABEL_STYLES), asks_texts):
        if part not in given:
            raise InputError(f"prompt template {path} lacks {part!r}; add it (config/prompts/default.yaml shows how)")
    for part in given:
        if part not in PARTS and part not in conditions:
            raise InputError(f"prompt template {path} has an unknown key {part!r}; remove or correct it")
    if not conditions:
        raise InputError(f"prompt template {path} lacks 'conditions'; add one text for each family")
    labels = _labels(path, given_labels, [style for style in styles if LABEL_STYLES[style].own_labels])
    spared = _SETTING if asks_texts else ()
    texts = {part: compile_text(path, part, text, variables_of(part), spared) for part, text in given.items()}
    return TemplateFile(path, sha256_file(path), texts, labels)


def read_content(path: Path, kind: str) -> dict[str, Any]:
    """What a template file of a kind holds besides its kind.

    Raises:
        InputError: the file is missing, not YAML, or of another kind.
    """
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


def _needed_parts(styles: list[str], asks_texts: bool) -> list[str]:
    """The parts of a file that words these styles; a question about a text has no terminal step."""
    steps = ["workflow"] if asks_texts else list(_QUESTIONS)
    return ["system", *steps, "record", *(f"questions.{step}.{style}" for step in steps for style in styles)]


def _flatten(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _labels(path: Path, given: Any, styles: list[str]) -> dict[str, tuple[str, str]]:
    given = given or {}
    if not isinstance(given, dict) or set(given) != set(styles):
        raise InputError(f"prompt template {path} needs 'labels' with exactly the keys {', '.join(styles)}")
    for style, pair in given.items():
        sound = isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) and x.strip() for x in pair)
        if not sound or pair[0] == pair[1]:
            raise InputError(
                f"prompt template {path}: labels.{style} is {pair!r}; give two different words in quotes "
                "(YAML reads a bare YES or NO as true or false)"
            )
    return {style: (pair[0], pair[1]) for style, pair in given.items()}


def compile_text(path: Path, part: str, text: Any, variables: Variables, spared: Sequence[str] = ()) -> Template:
    """A part's Jinja text, checked.

    Args:
        path, part: where it stands.
        text: the text; the system message may be missing.
        variables: what it must and may use.
        spared: needed variables that it may lack.

    Raises:
        InputError: it is no text, not valid Jinja, or uses an unknown variable or lacks a needed one.
    """
    if not isinstance(text, str) and not (part == "system" and text is None):
        raise InputError(f"prompt template {path}: {part} is {text!r}; give a text")
    text = text or ""
    try:
        used = meta.find_undeclared_variables(_ENVIRONMENT.parse(text))
        template = _ENVIRONMENT.from_string(text)
    except TemplateError as error:
        raise InputError(f"prompt template {path}: {part} is not a valid Jinja text ({error})") from error
    known = ", ".join(variables.known) or "none"
    for name in sorted(used - set(variables.known)):
        raise InputError(f"prompt template {path}: {part} uses the unknown variable {name!r}; known are {known}")
    for name in variables.needed:
        if name not in used and name not in spared:
            raise InputError(
                f"prompt template {path}: {part} lacks the variable {name!r}; write {{{{ {name} }}}} in it"
            )
    return template
