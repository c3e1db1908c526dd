import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.statistics.comparisons import descriptive_comparisons
from jointcore.statistics.registered_tests import registered_tests
from jointcore.statistics.registration import REGISTERED_MEASURES

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"
KEY = ["model", "measure", "first", "second"]


@pytest.fixture(scope="module")
def frame(make_frame) -> pd.DataFrame:
    return make_frame(tasks=30)


@pytest.fixture(scope="module")
def comparisons(frame) -> pd.DataFrame:
    return descriptive_comparisons(frame, replicates=200)


def test_all_methods_against_both_baselines_marked_descriptive(frame, comparisons) -> None:
    methods = frame["method"].nunique()
    assert len(comparisons) == 2 * 2 * (methods - 1) * len(MEASURES)
    assert not comparisons.duplicated(KEY).any()
    assert set(comparisons["second"]) == {JOINTCORE, SINGLETON}
    assert comparisons["kind"].eq("descriptive").all()
    assert not [column for column in comparisons.columns if column.startswith("p_")]


def test_a_number_and_an_undefined_one_against_their_definitions(frame, comparisons) -> None:
    rows = comparisons.set_index(KEY)
    model = frame[frame["model"] == "gemma4_12b_it"]
    for measure in ("critical_recall", "cost_gap"):
        wide = model.pivot(index="paper_task_id", columns="method", values=measure)
        both = wide[["random_b", JOINTCORE]].dropna()
        row = rows.loc[("gemma4_12b_it", measure, "random_b", JOINTCORE)]
        t = ttest_rel(both["random_b"], both[JOINTCORE]).statistic
        assert row["effect"] == pytest.approx(t / np.sqrt(len(both)), abs=1e-12)
        assert row["difference"] == pytest.approx((both["random_b"] - both[JOINTCORE]).mean(), abs=1e-12)
        assert (row["tasks"], row["undefined"]) == (30, 30 - len(both))
    assert rows.loc[("gemma4_12b_it", "cost_gap", "random_b", JOINTCORE), "undefined"] > 0


def test_exchanging_the_methods_mirrors_the_row(comparisons) -> None:
    rows = comparisons.set_index(KEY)
    for measure in MEASURES:
        forward = rows.loc[("qwen25_14b", measure, JOINTCORE, SINGLETON)]
        backward = rows.loc[("qwen25_14b", measure, SINGLETON, JOINTCORE)]
        assert forward["difference"] == -backward["difference"]
        assert forward["ci_low"] == pytest.approx(-backward["ci_high"], abs=1e-12)
        assert forward["ci_high"] == pytest.approx(-backward["ci_low"], abs=1e-12)


def test_the_registered_pair_has_the_registered_interval(frame) -> None:
    described = descriptive_comparisons(frame, (SINGLETON,), tuple(REGISTERED_MEASURES), replicates=200)
    described = described[described["first"] == JOINTCORE].set_index(["model", "measure"])
    registered = registered_tests(frame, replicates=200, draws=10).set_index(["model", "measure"])
    shared = ["difference", "ci_low", "ci_high", "effect"]
    pd.testing.assert_frame_equal(described[shared], registered.loc[described.index, shared], check_exact=True)


def test_a_row_depends_neither_on_row_order_nor_on_other_rows(make_frame, comparisons) -> None:
    part = make_frame(["gemma4_12b_it"], tasks=30, methods=("random_b", SINGLETON, JOINTCORE))
    part = part.sample(frac=1.0, random_state=5)
    alone = descriptive_comparisons(part, replicates=200).set_index(KEY)
    pd.testing.assert_frame_equal(alone, comparisons.set_index(KEY).loc[alone.index], check_exact=True)


def test_a_new_method_joins_without_an_edit(make_frame) -> None:
    frame = make_frame(tasks=4, methods=(SINGLETON, JOINTCORE, "zz_new"))
    rows = descriptive_comparisons(frame, (JOINTCORE,), ("trajectory_success",), replicates=10)
    assert rows["first"].tolist() == [SINGLETON, "zz_new"] * 2


def test_refuses_bad_input(make_frame) -> None:
    frame = make_frame(tasks=3, methods=(SINGLETON, JOINTCORE))
    with pytest.raises(ValueError, match="'speed' is no measure"):
        descriptive_comparisons(frame, measures=("speed",))
    with pytest.raises(ValueError, match="Method 'nothing' has no rows for model 'qwen25_14b'"):
        descriptive_comparisons(frame, ("nothing",))
    with pytest.raises(ValueError, match="no method beside the baseline"):
        descriptive_comparisons(frame[frame["method"] == JOINTCORE], (JOINTCORE,))
