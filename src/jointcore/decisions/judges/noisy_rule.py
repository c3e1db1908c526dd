"""The logical rule with errors: wrong where a hash of what is asked says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jointcore.decisions.catalogue import judge
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.protocol import Decision, Judge, Query, Verdict, decided
from jointcore.hashing import unit_interval
from jointcore.tasks.question import Question

_SHARE = {"type": "number", "minimum": 0, "maximum": 1, "description": "A probability from 0 to 1."}


@dataclass(frozen=True)
class Errors:
    """How often decisions err.

    Attributes:
        rate: probability of an error.
        by_family: the probability for some kinds of condition, by slug; the others have ``rate``.
        seed: seed of the errors.
        invalid_rate: probability of an invalid decision.
    """

    rate: float = 0.0
    by_family: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    invalid_rate: float = 0.0

    def of(self, family: str) -> float:
        """The probability of an error in a family."""
        return self.by_family.get(family, self.rate)


class NoisyRule:
    """Decides by the rule and errs where a hash says so, so that a query is always answered alike.

    At a higher rate the errors are the same ones and more.
    """

    def __init__(self, errors: Errors) -> None:
        self._rule = LogicalRule()
        self._errors = errors

    def open(self, question: Question) -> Verdict:
        """Decides probes of one question.

        Raises:
            InputError: no rule decides the question's condition.
        """
        right = self._rule.open(question)
        if not (self._errors.of(question.condition.kind) or self._errors.invalid_rate):
            return right
        return lambda probes: [
            self._disturbed(Query(question, retained, altered), decision)
            for (retained, _, altered), decision in zip(probes, right(probes), strict=True)
        ]

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries.

        Raises:
            InputError: no rule decides a question's condition.
        """
        return list(map(self._disturbed, queries, self._rule.decide(queries)))

    def _disturbed(self, query: Query, right: Decision) -> Decision:
        errors, asked = self._errors, query.identity
        if errors.invalid_rate and unit_interval(errors.seed, "invalid", *asked) < errors.invalid_rate:
            return Decision(None, reason="an invalid decision by seed")
        if unit_interval(errors.seed, "error", *asked) >= errors.of(query.question.condition.kind):
            return right
        first, second = query.offered
        return decided(second if right.action == first else first, query.offered)


@judge(
    name="Logical rule with errors",
    settings={
        "rate": _SHARE,
        "by_family": {"type": "object", "additionalProperties": _SHARE, "description": "A probability by family."},
        "seed": {"type": "integer", "description": "A whole number."},
        "invalid_rate": _SHARE,
    },
)
def noisy_rule(entry, store, *, rate, by_family=None, seed=0, invalid_rate=0.0) -> Iterator[Judge]:
    """The rule keeps nothing: its errors are hashes."""
    yield NoisyRule(Errors(rate, by_family or {}, seed, invalid_rate))
