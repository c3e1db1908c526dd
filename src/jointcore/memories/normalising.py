"""Makes decisions comparable: "Yes." and "yes" are one answer where the user says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from jointcore.decisions.endpoint.answers import by_text, check_answers
from jointcore.errors import InputError

Normaliser = Callable[[Any], Hashable]


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


def choice(answers: Sequence[Hashable]) -> Normaliser:
    """One of the given answers: a text whatever its case and the marks around it, or with an explanation behind it."""
    texts = [answer for answer in answers if isinstance(answer, str)]

    def chosen(decision: Any) -> Hashable:
        if isinstance(decision, str):
            number = by_text(texts, decision)
            if number is not None:
                return texts[number]
        elif decision in answers:
            return decision
        raise ValueError(f"{decision!r} is none of {', '.join(map(str, answers))}")

    return chosen


def check_choice(answers: Sequence[Hashable]) -> None:
    """Check that answers can be told apart, texts by their beginnings.

    Raises:
        InputError: fewer than two answers, an empty or repeated one, or one that begins another.
    """
    texts = [answer for answer in answers if isinstance(answer, str)]
    if len(texts) == len(answers) or len(texts) > 1:
        check_answers(texts)
    if len(set(answers)) < max(2, len(answers)):
        raise InputError(f"answers holds {list(answers)!r}; offer two different ones or more")


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
    names = [step if isinstance(step, str) else getattr(step, "__qualname__", repr(step)) for step in steps]
    if answers is not None:
        functions.append(choice(answers))
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
