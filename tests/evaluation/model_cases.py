"""What the tests of the model stage share: its grid, its settings, and a decider that keeps what it was asked."""

from functools import cache

from jointcore.decisions.judges.logical_rule import LogicalRule, other_action
from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.decisions.judges.scripted import Scripted
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_stage import run_primary, shard_of
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.task import TERMINAL

#: One decider for all tests, since it keeps the rule of every task.
LOGICAL = LogicalRule()
SETTINGS = {"budget": 4, "cap": 64, "empty_set_fails": False}
#: One task of every family and support size, 18 in all.
SMALL = Grid(
    domains=("calendar",), candidate_counts=(8,), seed_blocks=(0,), horizon_labels=(1,), seed_base=7, nesting="model"
)


@cache
def study_tasks():
    """The 432 tasks of the study's model stage."""
    return list(generate_tasks(Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")))


@cache
def small_tasks():
    """A task of every family and support size."""
    return list(generate_tasks(SMALL))


def study_methods():
    """The study's eight methods."""
    return choose_methods("study")


def logical(query):
    """The rule's action, as a script."""
    return LOGICAL.decide([query])[0].action


def run(decider, tasks, methods=None, **options):
    """The primary run of a decider on all tasks in one shard."""
    return run_primary(DecisionMemo(decider), shard_of(tasks, 0, 1), methods or study_methods(), SETTINGS, **options)


class Recorded(Scripted):
    """A scripted decider that keeps what it was asked."""

    def __init__(self, script):
        super().__init__(script)
        self.asked = []

    def decide(self, queries):
        self.asked += queries
        return super().decide(queries)


def satisfied_when(condition):
    """An action function: the rule's action where the condition on the query holds; the terminal step is right."""

    def action(query):
        if query.workflow_action is not None:
            return TERMINAL[query.workflow_action]
        return query.question.condition.action if condition(query) else other_action(query.question)

    return action


#: Always says that the rule is not satisfied; answers the terminal step correctly.
ALWAYS_NO = Scripted(satisfied_when(lambda query: False))


def noisy_rule(rate, seed, by_family=None, invalid_rate=0.0):
    """The logical rule with errors."""
    return NoisyRule(Errors(rate, by_family or {}, seed, invalid_rate))
