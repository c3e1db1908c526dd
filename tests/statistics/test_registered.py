import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test, ttest_rel

from jointcore.statistics.holm import holm
from jointcore.statistics.registered_tests import family_note, registered_tests
from jointcore.statistics.registration import REGISTERED_COHORT

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"
MODELS = tuple(REGISTERED_COHORT)
PAIR = (SINGLETON, JOINTCORE)
OWN = ["p_raw", "mean_first", "mean_second", "difference", "ci_low", "ci_high", "effect", "tasks"]
FAST = {"draws": 400, "replicates": 60}


def paired(frame: pd.DataFrame, model: str, measure: str) -> tuple[np.ndarray, np.ndarray]:
    wide = frame[frame["model"] == model].pivot(index="paper_task_id", columns="method", values=measure)
    return wide[JOINTCORE].to_numpy(), wide[SINGLETON].to_numpy()


@pytest.fixture(scope="module")
def frame(make_frame) -> pd.DataFrame:
    return make_frame(MODELS, tasks=45)


@pytest.fixture(scope="module")
def tests(frame) -> pd.DataFrame:
    return registered_tests(frame)


def test_twelve_tests_in_the_order_of_the_cohort(tests) -> None:
    measures = ["behavioral_sufficiency", "active_token_savings", "intervention_count"]
    assert list(zip(tests["model"], tests["measure"], strict=True)) == list(itertools.product(MODELS, measures))
    assert tests["kind"].eq("registered").all()
    assert tests["role"].tolist() == ["registered"] * 9 + ["exploratory"] * 3
    assert tests["test"].tolist() == ["exact McNemar", "sign-flip", "sign-flip"] * 4
    assert set(tests["first"]) == {JOINTCORE}
    assert set(tests["second"]) == {SINGLETON}
    assert tests["family_size"].eq(12).all()
    assert tests["family_expected"].eq(12).all()
    assert tests["family_status"].eq("complete").all()
    assert family_note(tests) == "Holm adjustment over 12 tests of 4 models: the complete registered family."


def test_every_row_against_its_own_reference(frame, tests) -> None:
    for row in tests.itertuples():
        first, second = paired(frame, row.model, row.measure)
        assert row.tasks == 45
        difference = first.astype(float) - second.astype(float)
        assert row.difference == pytest.approx(difference.mean(), abs=1e-12)
        assert row.mean_first - row.mean_second == pytest.approx(row.difference, abs=1e-12)
        assert row.ci_low < row.difference < row.ci_high
        if row.test == "exact McNemar":
            b, c = int(np.sum(first & ~second)), int(np.sum(second & ~first))
            assert row.p_raw == pytest.approx(binomtest(b, b + c).pvalue, abs=1e-12)
            assert (row.first_only, row.second_only) == (b, c)
            assert row.effect == pytest.approx(b / c, abs=1e-12)
        else:
            scipys = permutation_test(
                (difference,), np.mean, permutation_type="samples", n_resamples=9_999, vectorized=True,
                rng=np.random.default_rng(1),
            ).pvalue  # fmt: skip
            assert row.p_raw == pytest.approx(scipys, abs=0.025)
            t = ttest_rel(first, second).statistic
            assert row.effect == pytest.approx(t / np.sqrt(45), abs=1e-12)
            assert pd.isna(row.first_only)


def test_holm_runs_over_the_whole_family(tests) -> None:
    assert tests["p_adjusted"].to_numpy() == pytest.approx(holm(tests["p_raw"]), abs=0)
    smallest = tests["p_raw"].min()
    assert tests["p_adjusted"].min() == pytest.approx(12 * smallest, abs=1e-12)


@given(st.sets(st.sampled_from(MODELS), min_size=1), st.integers(0, 2**31))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_a_row_depends_neither_on_row_order_nor_on_other_models_or_methods(make_frame, models, shuffle) -> None:
    whole = registered_tests(make_frame(MODELS, tasks=12), **FAST).set_index(["model", "measure"])
    part = make_frame(models, tasks=12, methods=PAIR).sample(frac=1.0, random_state=shuffle)
    tests = registered_tests(part, **FAST).set_index(["model", "measure"])
    pd.testing.assert_frame_equal(tests[OWN], whole.loc[tests.index, OWN], check_exact=True)
    assert set(tests["family_size"]) == {3 * len(models)}
    assert (tests["p_adjusted"] <= whole.loc[tests.index, "p_adjusted"] + 1e-15).all()


def test_a_missing_model_reduces_the_family_and_says_so(make_frame) -> None:
    tests = registered_tests(make_frame(MODELS[1:3], tasks=10), **FAST)
    assert tests["model"].unique().tolist() == list(MODELS[1:3])
    assert tests["family_size"].eq(6).all()
    assert tests["family_expected"].eq(12).all()
    assert tests["family_status"].eq("reduced").all()
    assert family_note(tests) == (
        "Holm adjustment over 6 tests of 2 models: a reduced family, since the registered one has 12 tests."
    )


def test_another_cohort_is_never_called_complete(make_frame) -> None:
    cohort = {"tiny_a": "local", "tiny_b": "local", "tiny_c": "local", "tiny_d": "local"}
    tests = registered_tests(make_frame(cohort, tasks=5), cohort, **FAST)
    assert len(tests) == 12
    assert tests["family_status"].eq("unregistered").all()
    assert tests["role"].eq("local").all()
    assert "not the registered cohort" in family_note(tests)


def test_every_comparison_has_draws_of_its_own(make_frame) -> None:
    frame = make_frame(MODELS[:1], tasks=30, methods=PAIR)
    frame["intervention_count"] = (frame["active_token_savings"] * 100).round().astype(int)
    tests = registered_tests(pd.concat([frame, frame.assign(model=MODELS[1])]), **FAST)
    flips = tests[tests["test"] == "sign-flip"]
    assert flips["effect"].to_numpy() == pytest.approx(flips["effect"].iloc[0], abs=1e-9)  # the same data
    assert flips["p_raw"].nunique() > 1
    savings = tests[tests["measure"] == "active_token_savings"]
    assert savings["difference"].nunique() == 1
    assert savings["ci_low"].nunique() == 2
    other = registered_tests(frame, seed=1, **FAST)
    assert other.loc[1, "ci_low"] != tests.loc[1, "ci_low"]


def test_ties_everywhere(make_frame) -> None:
    frame = make_frame(MODELS[:1], tasks=10, methods=PAIR)
    same = frame[frame["method"] == PAIR[0]]
    tests = registered_tests(pd.concat([same, same.assign(method=PAIR[1])]), **FAST)
    assert tests["p_raw"].eq(1.0).all()
    assert tests["p_adjusted"].eq(1.0).all()
    assert tests[["difference", "ci_low", "ci_high"]].eq(0.0).all(axis=None)
    assert tests["effect"].isna().all()
    assert tests["effect_note"].tolist() == ["no discordant pairs"] + ["all differences are equal"] * 2


def test_one_task(make_frame) -> None:
    tests = registered_tests(make_frame(MODELS[:1], tasks=1), **FAST)
    assert tests["p_raw"].eq(1.0).all()
    assert tests["ci_low"].tolist() == tests["difference"].tolist() == tests["ci_high"].tolist()
    assert tests["effect"].isna().all()
    assert tests["effect_note"].ne("").all()


def test_refuses_what_it_cannot_pair(make_frame) -> None:
    frame = make_frame(MODELS[:2], tasks=4)
    with pytest.raises(ValueError, match="Model 'gemma4_12b_it' is not in the cohort"):
        registered_tests(frame, {MODELS[0]: "registered"})
    without = frame[~((frame["model"] == MODELS[1]) & (frame["method"] == SINGLETON))]
    with pytest.raises(ValueError, match="Method 'conditional_singleton_cost' has no rows for model 'gemma4_12b_it'"):
        registered_tests(without)
    torn = frame.drop(index=frame[frame["method"] == JOINTCORE].index[2])
    with pytest.raises(ValueError, match=r"Model 'qwen25_14b' has 1 tasks with only one of .*'task00002'"):
        registered_tests(torn)
    with pytest.raises(ValueError, match="is there more than once"):
        registered_tests(pd.concat([frame, frame]))
