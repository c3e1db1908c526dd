"""Sets of one model, decided by another."""

import pytest

from evaluation.model_cases import LOGICAL, Recorded, logical, run, satisfied_when, small_tasks
from jointcore.errors import InputError
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_rows import Model, primary_row, transfer_row
from jointcore.evaluation.transfer import run_transfer
from jointcore.selection.catalogue import load_method
from jointcore.tasks.task import TERMINAL

METHODS = ["conditional_singleton_cost", "jointcore_cost_ordered"]


def primary(key, decider):
    methods = [load_method(slug) for slug in METHODS]
    return [primary_row(Model(key, "local"), outcome) for outcome in run(decider, small_tasks(), methods)]


def careful():
    """Decides by the rule, but wants at least six records."""
    return Recorded(satisfied_when(lambda q: q.retained.bit_count() >= 6 and logical(q) == q.question.condition.action))


def rows():
    return {"logical": primary("logical", LOGICAL), "careful": primary("careful", careful())}


def test_the_diagonal_is_reused_and_only_foreign_sets_are_asked():
    decider = careful()
    every = rows()
    outcomes = run_transfer(DecisionMemo(decider), "careful", small_tasks(), every, METHODS)
    assert len(outcomes) == 2 * 18 * 2
    own = [o for o in outcomes if o.source == "careful"]
    assert all(o.reused and o.behavior_retained for o in own)
    assert [o.action for o in own] == [row["final_action"] for row in every["careful"]]
    foreign = [o for o in outcomes if o.source == "logical"]
    assert not any(o.reused for o in foreign)
    assert {q.retained for q in decider.asked} == {o.retained for o in foreign}


def test_behavior_is_judged_against_the_target_and_correctness_against_the_rule():
    every = rows()
    to_careful = run_transfer(DecisionMemo(careful()), "careful", small_tasks(), every, METHODS)
    for outcome in (o for o in to_careful if o.source == "logical"):
        assert outcome.behavior_retained == outcome.final_decision_correct == (outcome.retained.bit_count() >= 6)
        assert outcome.margin == (1.0 if outcome.behavior_retained else -1.0)
    to_logical = run_transfer(DecisionMemo(LOGICAL), "logical", small_tasks(), every, METHODS)
    assert all(o.behavior_retained and o.final_decision_correct for o in to_logical)


def test_a_target_with_an_invalid_reference_retains_nothing():
    def action(query):
        if query.workflow_action is not None:
            return TERMINAL[query.workflow_action]
        return None if query.retained == query.question.everything else "HOLD"

    every = {"logical": primary("logical", LOGICAL), "mute": primary("mute", Recorded(action))}
    outcomes = run_transfer(DecisionMemo(Recorded(action)), "mute", small_tasks(), every, METHODS)
    assert {(o.behavior_retained, o.margin, o.reference_action) for o in outcomes} == {(False, None, None)}
    row = transfer_row("local", outcomes[0])
    assert (row["source"], row["target"], row["role"], row["reference_action"]) == ("logical", "mute", "local", None)


def test_models_that_ran_other_tasks_or_methods_are_refused():
    every = rows()
    every["logical"] = every["logical"][1:]
    with pytest.raises(InputError, match=r"model logical: the primary run and the model grid differ at task 0 \("):
        run_transfer(DecisionMemo(LOGICAL), "careful", small_tasks(), every, METHODS)
