"""Makes decisions comparable: "Yes." and "yes" are one answer where the user says so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from jointcore.errors import InputError

Normaliser = Callable[[Any], Hashable]
_AROUND = " \t\r\n\"'`*.!"


def case(decision: Any) -> Any:
    """A text in lower case."""
    return decision.casefold() if isinstance(decision, str) else decision


def whitespace(decision: Any) -> Any:
    """A text without blanks around it, and one blank wherever there are several."""
    return " ".join(decision.split()) if isinstance(decision, str) else decision


def json_field(name: str) -> Normaliser:
    """The value of a field of a JSON object, given as text or as a dictionary; texts around the object are ignored."""

    def field(decision: Any) -> Hashable:
        found = decision
        if isinstance(decision, str):
            start, end = decision.find("{"), decision.rfind("}") + 1
            try:
                found = json.loads(decision[start:end])
            except json.JSONDecodeError:
                raise ValueError(f"{decision!r} holds no JSON object") from None
        try:
            value = found[name]
        except (KeyError, TypeError):
            raise ValueError(f"{decision!r} has no field {name!r}") from None
        return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else value

    return field


class Choice:
    """One of the given answers, whatever its case and the marks around it, or with an explanation behind it.

    Args:
        answers: two answers or more.

    Raises:
        InputError: fewer than two answers, an empty one, or one that begins another.
    """

    def __init__(self, answers: Sequence[Hashable]) -> None:
        self._answers = tuple(answers)
        self._plain = {_plain(answer): answer for answer in self._answers if isinstance(answer, str)}
        check_answers(self._answers)

    def __call__(self, decision: Any) -> Hashable:
        if not isinstance(decision, str):
            if decision in self._answers:
                return decision
        else:
            said = _plain(decision)
            for text, answer in self._plain.items():
                if re.match(re.escape(text) + r"(?:[\"'`*]*(?:$|[.,:;!\n]))", said):
                    return answer
        raise ValueError(f"{decision!r} is none of {', '.join(map(str, self._answers))}")


def check_answers(answers: Sequence[Hashable]) -> None:
    """Check that answers can be told apart by their beginnings.

    Raises:
        InputError: fewer than two answers, an empty or repeated one, or one that begins another.
    """
    if len(answers) < 2:
        raise InputError(f"answers holds {len(answers)}; offer at least two")
    plain = [_plain(answer) if isinstance(answer, str) else answer for answer in answers]
    for number, (answer, text) in enumerate(zip(answers, plain, strict=True)):
        if text == "":
            raise InputError(f"the answer {answer!r} holds no word; offer another")
        for place, (other, longer) in enumerate(zip(answers, plain, strict=True)):
            texts = isinstance(text, str) and isinstance(longer, str)
            if place != number and (text == longer or (texts and longer.startswith(text))):
                raise InputError(
                    f"the answer {answer!r} is a prefix of the answer {other!r}; word one of them otherwise"
                )


def normaliser(wanted: Any, answers: Sequence[Hashable] | None) -> tuple[Normaliser | None, str]:
    """The function that a user's wish means, and its name for a store.

    Args:
        wanted: ``None``, a function, one of ``"case"``, ``"whitespace"`` and ``"json:FIELD"``, or a sequence of these,
            applied in order.
        answers: if given, a decision must be one of these in the end.

    Raises:
        InputError: an unknown name, or answers that cannot be told apart.
    """
    steps = [wanted] if isinstance(wanted, str) or callable(wanted) else list(wanted or ())
    functions = [_step(step) for step in steps]
    names = [step if isinstance(step, str) else f"{step.__module__}.{step.__qualname__}" for step in steps]
    if answers is not None:
        functions.append(Choice(answers))
        names.append(f"answers:{list(answers)!r}")
    if not functions:
        return None, ""

    def apply(decision: Any) -> Hashable:
        for function in functions:
            decision = function(decision)
        return decision

    return apply, " ".join(names)


def _step(step: Any) -> Normaliser:
    if callable(step):
        return step
    if step in ("case", "whitespace"):
        return {"case": case, "whitespace": whitespace}[step]
    if isinstance(step, str) and step.startswith("json:") and len(step) > 5:
        return json_field(step[5:])
    raise InputError(f"normalise is {step!r}; give case, whitespace, json:FIELD, a function, or a list of these")


def _plain(text: str) -> str:
    return " ".join(text.strip(_AROUND).casefold().split())
