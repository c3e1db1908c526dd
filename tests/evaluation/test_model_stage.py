"""The primary run with known deciders: the published logical figures, measures, reuse, invalid decisions."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.model_cases import (
    LOGICAL,
    SETTINGS,
    Recorded,
    logical,
    run,
    satisfied_when,
    small_tasks,
    study_methods,
    study_tasks,
)
from jointcore.errors import InputError
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_stage import run_primary, shard_of
from jointcore.hashing import stable_seed
from jointcore.selection.catalogue import load_method
from jointcore.tasks.task import TERMINAL

CONDITIONAL = ["conditional_singleton_cost", "jointcore_cost_ordered"]


def by_method(outcomes):
    grouped = defaultdict(list)
    for outcome in outcomes:
        grouped[outcome.run.method.slug].append(outcome)
    return grouped


def mean(outcomes, value):
    return round(sum(map(value, outcomes)) / len(outcomes), 4)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("jointcore_cost_ordered", (1.0, 1.0, 0.8693, 10.1343)),
        ("conditional_singleton_cost", (1.0, 1.0, 0.8693, 16.0)),
        ("jointcore_legacy", (1.0, 0.9282, 0.8673, 9.9676)),
        ("independent_leave_one_out", (0.6667, 0.6667, 0.8936, 16.0)),
    ],
)
def test_the_logical_decider_gives_the_known_figures_on_all_432_tasks(method, expected):
    outcomes = run(LOGICAL, study_tasks(), [load_method(method)])
    assert len(outcomes) == 432
    assert expected == (
        mean(outcomes, lambda o: o.set_measures.exact_sufficiency),
        mean(outcomes, lambda o: o.set_measures.valid_minimum_set),
        mean(outcomes, lambda o: o.set_measures.active_token_savings),
        mean(outcomes, lambda o: o.run.trace.evaluations),
    )


def test_an_always_right_decider_is_right_about_every_set_even_an_insufficient_one():
    outcomes = run(LOGICAL, small_tasks())
    assert any(not outcome.set_measures.exact_sufficiency for outcome in outcomes)
    for outcome in outcomes:
        measures = outcome.measures
        assert measures.final_decision_correct
        assert measures.trajectory_success
        assert measures.control_accuracy
        assert measures.invalid_decisions == 0
        assert measures.behavioral_sufficiency == outcome.set_measures.exact_sufficiency
        assert measures.selection_accuracy == (1.0 if outcome.run.trace.evaluations else None)
        if outcome.run.method.slug == "independent_leave_one_out":
            # A record that is kept is one whose absence the decider took as not satisfying.
            count = outcome.run.trace.evaluations
            assert measures.satisfied_share == 1 - outcome.run.retained.bit_count() / count


@given(salt=st.integers(0, 2**32), share=st.integers(1, 9))
def test_conditional_methods_keep_the_behavior_of_any_deterministic_decider(salt, share):
    """Behavioral sufficiency holds by construction, although the decision is a random, not monotone set function."""
    decider = Recorded(satisfied_when(lambda q: stable_seed(salt, q.question.id, q.retained) % 10 < share))
    outcomes = run(decider, small_tasks()[::4], [load_method(slug) for slug in CONDITIONAL])
    assert all(outcome.measures.behavioral_sufficiency for outcome in outcomes)


def test_a_model_that_always_answers_no_drops_everything_and_is_right_about_the_empty_set():
    outcomes = run(Recorded(satisfied_when(lambda query: False)), small_tasks())
    for outcome in by_method(outcomes)["jointcore_cost_ordered"]:
        assert outcome.run.retained == 0
        assert outcome.run.trace.evaluations == 1
        assert outcome.measures.behavioral_sufficiency
        assert outcome.measures.final_decision_correct
        assert outcome.measures.selection_accuracy == 1.0
        assert outcome.measures.satisfied_share == 0.0
        assert not outcome.measures.control_accuracy
        assert not outcome.set_measures.exact_sufficiency
        assert outcome.set_measures.cost_gap is None
    assert not any(o.measures.final_decision_correct for o in by_method(outcomes)["full_memory"])


def test_a_wrong_terminal_step_fails_the_trajectory_alone():
    swapped = {"EXECUTE": "HALT", "HOLD": "COMMIT"}
    decider = Recorded(lambda q: swapped[q.workflow_action] if q.workflow_action else logical(q))
    for outcome in run(decider, small_tasks()):
        assert outcome.measures.final_decision_correct
        assert not outcome.measures.trajectory_success
        assert outcome.measures.invalid_decisions == 0


def test_an_invalid_reference_equals_nothing():
    decider = Recorded(lambda q: None if q.retained == q.question.everything else "HOLD")
    outcomes = run(decider, small_tasks())
    for outcome in outcomes:
        assert not outcome.measures.behavioral_sufficiency
        assert not outcome.measures.control_accuracy
        assert not any(step.answer.same for step in outcome.run.trace.steps)
        assert {step.answer.margin for step in outcome.run.trace.steps} <= {float("-inf")}
    for outcome in by_method(outcomes)["conditional_singleton_cost"]:
        assert outcome.run.retained == outcome.task.question.everything
        assert outcome.terminal is None
        assert outcome.measures.invalid_decisions == 1
        assert outcome.measures.invalid_reason == "the script gives no action"


def test_invalid_decisions_count_as_wrong_and_keep_the_records():
    def refuses_small_sets(query):
        small = query.workflow_action is None and query.retained.bit_count() < 6
        return None if small else logical(query)

    outcomes = run(Recorded(refuses_small_sets), small_tasks(), [load_method("conditional_singleton_cost")])
    for outcome in outcomes:
        refused = [d for d in outcome.run.decisions if not d.valid]
        assert outcome.run.retained.bit_count() >= 6
        assert outcome.measures.invalid_decisions == len(refused)
        assert outcome.measures.selection_accuracy == (len(outcome.run.decisions) - len(refused)) / len(
            outcome.run.decisions
        )
        assert outcome.measures.behavioral_sufficiency
    assert sum(outcome.measures.invalid_decisions for outcome in outcomes) > 0


def test_an_invalid_terminal_step_is_counted_and_fails_the_trajectory():
    decider = Recorded(lambda q: None if q.workflow_action else logical(q))
    for outcome in run(decider, small_tasks()):
        assert outcome.measures.invalid_decisions == 1
        assert outcome.measures.final_decision_correct
        assert not outcome.measures.trajectory_success


def test_every_retained_set_and_terminal_step_is_asked_once_while_evaluations_count_all():
    decider = Recorded(logical)
    memo = DecisionMemo(decider)
    tasks = small_tasks()
    outcomes = run_primary(memo, shard_of(tasks, 0, 1), study_methods(), SETTINGS)
    keys = [(q.question.id, q.retained, q.workflow_action) for q in decider.asked]
    assert len(keys) == len(set(keys)) == memo.distinct
    evaluations = sum(outcome.run.trace.evaluations for outcome in outcomes)
    terminals = [key for key in keys if key[2]]
    assert memo.asked == len(tasks) + evaluations + 2 * len(outcomes)
    assert sorted(terminals) == sorted(
        {(o.task.question.id, o.task.question.everything, o.run.final.action) for o in outcomes}
    )
    assert set(TERMINAL) == {key[2] for key in terminals}


def test_a_decider_that_drops_an_answer_is_refused():
    class Forgetful:
        def decide(self, queries):
            return LOGICAL.decide(queries)[:-1]

    with pytest.raises(ValueError, match=r"Forgetful gave 17 decisions for 18 queries"):
        run(Forgetful(), small_tasks())


@pytest.mark.parametrize(("shard", "shards"), [(2, 2), (-1, 2), (18, 19)])
def test_a_shard_without_tasks_is_refused(shard, shards):
    with pytest.raises(InputError, match=f"shard {shard} "):
        shard_of(small_tasks(), shard, shards)


def test_a_cap_ends_the_search_early():
    method = load_method("jointcore_cost_ordered")
    tasks = shard_of(small_tasks(), 0, 1)
    outcomes = run_primary(DecisionMemo(LOGICAL), tasks, [method], {**SETTINGS, "cap": 3})
    assert all(outcome.run.trace.evaluations <= 3 for outcome in outcomes)
    assert any(outcome.run.trace.selection.budget_exhausted for outcome in outcomes)
