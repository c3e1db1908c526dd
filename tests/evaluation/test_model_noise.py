"""Noisy, one-sided and mute deciders drive the statistics of the model stage through every branch."""

from functools import cache

import pandas as pd
import pytest

from evaluation.model_cases import ALWAYS_NO, LOGICAL, SETTINGS, noisy_rule, study_methods, study_tasks
from jointcore.decisions.judges.scripted import Scripted
from jointcore.evaluation.answers import COMPARED_INTERFACES
from jointcore.evaluation.model_rows import Model, primary_row, robustness_row
from jointcore.evaluation.model_run import Robustness, ShardPlan, run_shard
from jointcore.statistics.fallback import archive_fallback
from jointcore.statistics.registered_tests import registered_tests
from jointcore.statistics.robustness import published_columns, robustness_cells

PLAN = Robustness(
    4,
    ["conditional_singleton_cost", "jointcore_cost_ordered"],
    COMPARED_INTERFACES,
    ["boolean", "direct", "ab"],
)
DECIDERS = {
    "logical": LOGICAL,
    "good": noisy_rule(0.05, 1),
    "poor": noisy_rule(0.2, 2, {"single_variable": 0.0}, 0.02),
    "always_no": ALWAYS_NO,
    "mute": Scripted(lambda query: None),
}
COHORT = dict.fromkeys(DECIDERS, "local")


@cache
def frames():
    """The model and the robustness frame of five deciders on every third task of the study."""
    primary, robustness = [], []
    for key, decider in DECIDERS.items():
        run = run_shard(decider, study_tasks()[::3], ShardPlan(0, 1, study_methods(), SETTINGS, PLAN))
        primary += [primary_row(Model(key, "local"), outcome) for outcome in run.outcomes]
        robustness += [robustness_row(Model(key, "local"), cell) for cell in run.redecisions]
    return pd.DataFrame(primary), pd.DataFrame(robustness)


def mean(model, method, measure):
    frame = frames()[0]
    return frame.loc[(frame["model"] == model) & (frame["method"] == method), measure].mean()


def test_conditional_methods_keep_the_behavior_of_every_decider_that_answers():
    for model in ("logical", "good", "always_no"):
        for method in ("conditional_singleton_cost", "jointcore_cost_ordered", "jointcore_legacy"):
            assert mean(model, method, "behavioral_sufficiency") == 1.0
    assert mean("good", "independent_leave_one_out", "behavioral_sufficiency") < 1.0


def test_invalid_references_are_the_only_loss_of_behavior():
    frame = frames()[0]
    own = frame[(frame["model"] == "poor") & frame["method"].isin(PLAN.methods)]
    assert (own["behavioral_sufficiency"] == own["reference_action"].notna()).all()
    assert 0 < own["reference_action"].isna().mean() < 0.1


def test_a_noisy_decider_errs_about_as_often_as_it_should():
    assert mean("good", "conditional_singleton_cost", "selection_accuracy") == pytest.approx(0.95, abs=0.02)
    assert mean("good", "full_memory", "control_accuracy") == pytest.approx(0.95, abs=0.05)
    assert mean("poor", "conditional_singleton_cost", "invalid_decisions") == pytest.approx(17 * 0.02, abs=0.15)
    assert 0 < mean("poor", "jointcore_cost_ordered", "exact_sufficiency") < 1


def test_a_mute_decider_keeps_everything_and_succeeds_at_nothing():
    for method in PLAN.methods:
        assert mean("mute", method, "behavioral_sufficiency") == 0.0
        assert mean("mute", method, "active_token_savings") == 0.0
        assert mean("mute", method, "trajectory_success") == 0.0
        assert mean("mute", method, "exact_sufficiency") == 1.0
    assert mean("mute", "jointcore_cost_ordered", "invalid_decisions") > mean(
        "mute", "conditional_singleton_cost", "invalid_decisions"
    )


def test_the_statistics_run_on_all_of_them():
    primary, robustness = frames()
    tests = registered_tests(primary, COHORT, draws=200, replicates=50)
    assert len(tests) == 3 * len(DECIDERS)
    assert tests["p_adjusted"].between(0, 1).all()
    one_sided = tests[(tests["model"] == "always_no") & (tests["measure"] == "behavioral_sufficiency")].iloc[0]
    assert (one_sided["difference"], one_sided["p_raw"]) == (0.0, 1.0)
    cells = robustness_cells(robustness, replicates=50)
    assert len(cells) == 15 * len(DECIDERS)
    assert set(cells["difference"].apply(lambda d: (d > 0) - (d < 0))) == {-1, 0, 1}
    assert len(published_columns(cells)) == 7 * len(DECIDERS)


def test_the_archive_fallback_goes_both_ways():
    primary, robustness = frames()
    table = archive_fallback(robustness, primary).set_index("model")
    assert not table.loc["logical", "reverts"]
    assert table.loc["logical", ["behavior", "ab_jointcore", "direct_singleton"]].tolist() == [1.0, 36, 36]
    assert set(table["reverts"]) == {True, False}
    reverted = table[table["reverts"]]
    assert (reverted["behavior"] == 1.0).all()
    assert (reverted["savings"] == 0.0).all()
