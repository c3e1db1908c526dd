"""Decisions that err: the logical rule, wrong where a hash of the question says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from jointcore.decisions.judges.scripted import content
from jointcore.decisions.protocol import Query
from jointcore.hashing import unit_interval
from jointcore.tasks.task import Task


@dataclass(frozen=True)
class Errors:
    """How often decisions err.

    Attributes:
        rate: probability of an error.
        by_family: the probability for some families, by slug; the others have ``rate``.
        seed: seed of the errors.
    """

    rate: float = 0.0
    by_family: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    def of(self, family: str) -> float:
        """The probability of an error in a family."""
        return self.by_family.get(family, self.rate)


def verdicts(task: Task, sufficient: Callable[[int], bool], errors: Errors) -> Callable[[int, int], bool]:
    """What is decided about retained sets of a task, right or wrong.

    The errors are those of :class:`jointcore.decisions.judges.scripted.NoisyDecider` on the logical rule: fixed for a
    question, full memory included, and at a higher rate the same ones and more.

    Args:
        task: the task.
        sufficient: its rule.
        errors: how often decisions err.

    Returns:
        A function of the retained and the altered records: whether the rule is said to be satisfied.
    """
    rate = errors.of(task.family)
    if rate == 0:
        return lambda retained, altered: sufficient(retained & ~altered)

    def verdict(retained: int, altered: int) -> bool:
        asked = content(Query(task, retained, altered))
        return sufficient(retained & ~altered) != (unit_interval(errors.seed, "error", *asked) < rate)

    return verdict
