"""The one loop: any method on any question with any judge, alone or side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.model_cases import SETTINGS, noisy_rule, small_tasks
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.judges.scripted import Scripted
from jointcore.decisions.protocol import Decision
from jointcore.errors import InputError
from jointcore.evaluation.answers import DecisionMemo, decide_terminals
from jointcore.evaluation.loop import run_method, run_side_by_side
from jointcore.evaluation.measures import measure_set
from jointcore.evaluation.model_measures import model_measures
from jointcore.hashing import stable_seed, unit_interval
from jointcore.logic.oracle import truth_of
from jointcore.selection.catalogue import all_methods, load_method
from jointcore.selection.method import method
from jointcore.selection.protocol import Probe, Selection
from jointcore.tasks.question import TEXT, Condition, Question, Record

METHODS = [method for method in all_methods() if not method.costly]


class Queries:
    """A judge without its short way."""

    def __init__(self, judge):
        self._judge = judge

    def decide(self, queries):
        return self._judge.decide(queries)


@pytest.mark.parametrize("judge", [LogicalRule(), noisy_rule(0.2, 3, invalid_rate=0.05)], ids=["rule", "noisy"])
def test_a_judges_short_way_memo_and_lockstep_give_the_same_runs(judge):
    questions = [task.question for task in small_tasks()]
    truths = list(map(truth_of, questions))
    alone = [
        run_method(method, question, judge, SETTINGS, truth)
        for question, truth in zip(questions, truths, strict=True)
        for method in METHODS
    ]
    memo = DecisionMemo(judge)
    by_queries = [run_method(r.method, r.question, memo, SETTINGS, truth_of(r.question)) for r in alone]
    together = run_side_by_side(METHODS, questions, Queries(judge), SETTINGS, truths)
    in_groups = run_side_by_side(METHODS, questions, Queries(judge), SETTINGS, truths, in_flight=5)
    assert alone == by_queries == together == in_groups
    assert len({run.retained for run in alone}) > 20


def text_question(count, seed):
    """A question about texts; costs may be any, relevance too."""
    records = tuple(
        Record(i, f"memory {i}", "text", f"text {i}", 1 + stable_seed(seed, i) % 50, unit_interval(seed, "r", i))
        for i in range(count)
    )
    return Question(f"q{seed}", records, tuple(range(count)), Condition(TEXT, "What now?"), ("a", "b", ("c", 3)))


@given(count=st.integers(1, 9), seed=st.integers(0, 2**32))
def test_any_method_runs_on_a_text_with_any_judge_and_truth_stays_undefined(count, seed):
    question = text_question(count, seed)
    judge = Scripted(lambda query: question.actions[stable_seed(seed, query.retained & ~query.altered) % 3])
    for chosen in METHODS:
        if chosen.slug == "exact_oracle":
            with pytest.raises(ValueError, match="needs the parameter minimum_cost_sets"):
                run_method(chosen, question, judge, SETTINGS)
            continue
        run = run_method(chosen, question, judge, SETTINGS)
        assert run.final.action in question.actions
        if chosen.keeps_decision:
            assert run.final.action == run.reference.action
        sets = measure_set(run.retained, question.memory.costs, truth_of(question))
        assert 0 <= sets.active_token_savings <= 1
        assert sets._replace(active_token_savings=None) == (None,) * 5
        (terminal,) = decide_terminals(judge, [(question, run.final, "direct")])
        measures = model_measures(run, None, terminal)
        assert measures.behavioral_sufficiency == (run.final.action == run.reference.action)
        unknown = (measures.final_decision_correct, measures.trajectory_success, measures.selection_accuracy)
        assert {*unknown, measures.control_accuracy, measures.satisfied_share, terminal} == {None}


def test_a_judge_may_give_no_scores():
    judge = Scripted(lambda query: Decision("yes" if query.retained & 1 else "no"))
    run = run_method(load_method("jointcore_cost_ordered"), text_question(4, 1), judge, SETTINGS)
    assert run.retained == 1
    assert {answer.margin for answer in run.trace.answers} == {float("-inf")}


def test_a_broken_method_is_named_before_the_judge_is_asked():
    @method(name="Mine", position=1)
    def mine(memory):
        yield Probe(~1, 1)
        return Selection(0)

    question = small_tasks()[0].question
    for run in (
        lambda: run_method(mine, question, LogicalRule(), SETTINGS),
        lambda: run_side_by_side([mine], [question], LogicalRule(), SETTINGS, [None]),
    ):
        with pytest.raises(InputError, match="method mine, after 0 evaluations: its retained set -0x2"):
            run()
