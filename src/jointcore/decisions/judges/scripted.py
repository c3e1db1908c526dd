"""Deciders without a model: scripted, always NO, and a noisy one whose every error is a hash."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jointcore.bitsets import full
from jointcore.decisions.judges.logical import other_action
from jointcore.decisions.protocol import TERMINAL, Decider, Decision, Query
from jointcore.hashing import unit_interval
from jointcore.tasks.generate import ACTIONS


def offered_actions(query: Query) -> tuple[str, str]:
    """The two actions that a query offers."""
    return ACTIONS if query.workflow_action is None else tuple(TERMINAL.values())


class ScriptedDecider:
    """Decides as a script says.

    Args:
        script: a function from a query to an action, a whole decision, or ``None`` for an invalid decision;
            or a table from :func:`content` of a query to one of these.
    """

    def __init__(
        self, script: Callable[[Query], str | Decision | None] | Mapping[tuple, str | Decision | None]
    ) -> None:
        self._script = script if callable(script) else lambda query: script[content(query)]

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries.

        Raises:
            KeyError: the table has no entry for a query.
        """
        return [self._decide(query) for query in queries]

    def _decide(self, query: Query) -> Decision:
        said = self._script(query)
        if isinstance(said, Decision):
            return said
        if said is None:
            return Decision(None, reason="the script gives no action")
        return Decision(said, {action: float(action == said) for action in offered_actions(query)})


class AlwaysNoDecider(ScriptedDecider):
    """Always says that the rule is not satisfied; answers the terminal step correctly."""

    def __init__(self) -> None:
        super().__init__(_always_no)


class NoisyDecider:
    """Errs where a hash of the question's content says so, so that a question is always answered alike.

    An error exchanges the two actions and their scores.

    Args:
        base: the decider that errors are made of.
        rate: probability of an error.
        seed: seed of the errors.
        rates_by_family: probability of an error for some families, by slug; the others have ``rate``.
        invalid_rate: probability of an invalid decision.
    """

    def __init__(
        self,
        base: Decider,
        rate: float,
        seed: int,
        rates_by_family: Mapping[str, float] | None = None,
        invalid_rate: float = 0.0,
    ) -> None:
        self._base = base
        self._rate = rate
        self._seed = seed
        self._by_family = dict(rates_by_family or {})
        self._invalid_rate = invalid_rate

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        return list(map(self._disturb, queries, self._base.decide(queries)))

    def _disturb(self, query: Query, decision: Decision) -> Decision:
        asked = content(query)
        if unit_interval(self._seed, "invalid", *asked) < self._invalid_rate:
            return Decision(None, reason="an invalid decision by seed")
        rate = self._by_family.get(query.task.family, self._rate)
        if not decision.valid or unit_interval(self._seed, "error", *asked) >= rate:
            return decision
        first, second = offered_actions(query)
        swapped = {first: second, second: first}
        return Decision(swapped[decision.action], {swapped[action]: score for action, score in decision.scores.items()})


def content(query: Query) -> tuple:
    """What a query's prompt depends on: task, retained and altered records, interface, label style, step.

    The terminal prompt holds no records, and where nothing is omitted all interfaces show the same.
    """
    task = query.task
    if query.workflow_action is not None:
        return task.paper_task_id, 0, 0, "", query.label_style, query.workflow_action
    everything = query.retained == full(len(task.records))
    interface = "" if everything else query.interface
    return task.paper_task_id, query.retained, query.altered & query.retained, interface, query.label_style, ""


def _always_no(query: Query) -> str:
    if query.workflow_action is not None:
        return TERMINAL[query.workflow_action]
    return other_action(query.task.satisfied_action)
