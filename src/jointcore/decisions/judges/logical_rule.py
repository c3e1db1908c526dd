"""The logical rule as judge: always right."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from jointcore.decisions.catalogue import judge
from jointcore.decisions.protocol import Decision, Judge, Query, Verdict, decided
from jointcore.logic.oracle import rule_of
from jointcore.tasks.question import Question


class LogicalRule:
    """Decides by the rule of a question's condition.

    A record that is altered counts for nothing, like one that is omitted. The interface and the label style make
    no difference.
    """

    def open(self, question: Question) -> Verdict:
        """Decides probes of one question.

        Raises:
            InputError: no rule decides the question's condition.
        """
        satisfied, sufficient = question.condition.action, rule_of(question)
        yes = decided(satisfied, question.actions)
        no = decided(other_action(question), question.actions)
        return lambda probes: [yes if sufficient(retained & ~altered) else no for retained, _, altered in probes]

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries.

        Raises:
            InputError: no rule decides a question's condition.
        """
        return [self._decide(query) for query in queries]

    def _decide(self, query: Query) -> Decision:
        question = query.question
        if query.workflow_action is not None:
            return decided(question.terminal_after(query.workflow_action), query.offered)
        (decision,) = self.open(question)([(query.retained, 0, query.altered)])
        return decision


def other_action(question: Question) -> Hashable:
    """The action that follows when the condition is not satisfied: the other one of two."""
    first, second = question.actions
    return second if first == question.condition.action else first


@judge(name="Logical rule")
def logical_rule(entry, store) -> Iterator[Judge]:
    """The rule keeps nothing."""
    yield LogicalRule()
