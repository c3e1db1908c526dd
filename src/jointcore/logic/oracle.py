"""The exact oracle: sufficiency, minimum-cost sets and critical records of a task (paper, benchmark section)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple

from jointcore.bitsets import bitset
from jointcore.errors import InputError
from jointcore.logic.rules import (
    delayed_fsm,
    harmful_stale,
    multiple_minimal_sets,
    proxy_confounded,
    redundant_or,
    single_variable,
    synergy_and,
    synergy_xor,
    threshold,
)
from jointcore.tasks.question import Question

#: The rule of every family, by slug.
RULES: dict[str, ModuleType] = {
    "single_variable": single_variable,
    "redundant_or": redundant_or,
    "synergy_and": synergy_and,
    "synergy_xor": synergy_xor,
    "threshold": threshold,
    "multiple_minimal_sets": multiple_minimal_sets,
    "proxy_confounded": proxy_confounded,
    "delayed_fsm": delayed_fsm,
    "harmful_stale": harmful_stale,
}


class Oracle(NamedTuple):
    """What is true of one task; sets are bitsets of record ids.

    Attributes:
        sufficient: tells whether a retained set is sufficient.
        minimum_cost: payload cost of a minimum-cost sufficient set, in tokens.
        minimum_cost_sets: all of them, in lexicographic order of their ascending ids.
        critical: the union of the minimum-cost sets.
    """

    sufficient: Callable[[int], bool]
    minimum_cost: int
    minimum_cost_sets: tuple[int, ...]
    critical: int


def oracle(family: str, support: Sequence[int], costs: Sequence[int]) -> Oracle:
    """The oracle of a task.

    Args:
        family: slug of the family.
        support: ids of the support records, ascending.
        costs: payload cost of every record, by id.

    Raises:
        ValueError: the family has no rule.
    """
    rule = RULES.get(family)
    if rule is None:
        raise ValueError(f"family {family!r} has no rule; known are {', '.join(RULES)}")
    candidates = sorted(rule.minimal_sets(support))
    priced = [sum(map(costs.__getitem__, candidate)) for candidate in candidates]
    cheapest = min(priced)
    minimum = tuple(bitset(candidate) for candidate, cost in zip(candidates, priced, strict=True) if cost == cheapest)
    critical = 0
    for retained in minimum:
        critical |= retained
    return Oracle(rule.sufficiency(support), cheapest, minimum, critical)


def truth_of(question: Question) -> Oracle | None:
    """What is true of a question; ``None`` if its condition is none that a rule decides."""
    kind, _, required, _ = question.condition
    return oracle(kind, required, question.memory.costs) if kind in RULES else None


def rule_of(question: Question) -> Callable[[int], bool]:
    """Whether a retained set (a bitset) satisfies the question's condition.

    Raises:
        InputError: no rule decides the condition.
    """
    rule = RULES.get(question.condition.kind)
    if rule is None:
        raise InputError(
            f"question {question.id}: no rule decides a condition of the kind {question.condition.kind!r}; choose a "
            f"judge that reads texts, or a condition of {', '.join(RULES)}"
        )
    return rule.sufficiency(question.condition.required)
