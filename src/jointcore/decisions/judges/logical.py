"""The logical rule as decider: always right."""

from __future__ import annotations

from collections.abc import Sequence

from jointcore.decisions.protocol import TERMINAL, Decision, Query
from jointcore.logic.oracle import oracle
from jointcore.tasks.generate import ACTIONS


class LogicalDecider:
    """Decides by the family's rule; the score is 1 for the action taken and 0 for the other.

    A record that is altered counts for nothing, like one that is omitted. In the exact stage the
    interface and the label style make no difference.
    """

    def __init__(self) -> None:
        self._rules: dict[str, object] = {}

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries."""
        return [self._decide(query) for query in queries]

    def _decide(self, query: Query) -> Decision:
        task = query.task
        if query.workflow_action is not None:
            offered = tuple(TERMINAL.values())
            taken = TERMINAL[query.workflow_action]
        else:
            satisfied = self._rule(task)(query.retained & ~query.altered)
            offered = ACTIONS
            taken = task.satisfied_action if satisfied else other_action(task.satisfied_action)
        return Decision(taken, {action: float(action == taken) for action in offered})

    def _rule(self, task):
        rule = self._rules.get(task.paper_task_id)
        if rule is None:
            costs = [record.cost for record in task.records]
            rule = self._rules[task.paper_task_id] = oracle(task.family, task.support, costs).sufficient
        return rule


def other_action(action: str) -> str:
    """The workflow action that is not this one."""
    return ACTIONS[1 - ACTIONS.index(action)]
