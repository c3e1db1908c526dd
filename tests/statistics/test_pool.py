import math

import numpy as np
import pandas as pd
import pytest

from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.pool import pool_frame, pooled_difference, pooled_measure

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"


def nested_mean(values: pd.DataFrame) -> float:
    """Mean over families of the mean over models of the mean over tasks, by pandas."""
    return values.groupby(["family", "model"])["value"].mean().groupby("family").mean().mean()


def differences(frame: pd.DataFrame, measure: str) -> pd.DataFrame:
    key = ["model", "family", "paper_task_id"]
    wide = frame.pivot(index=key, columns="method", values=measure).astype(float)
    return (wide[JOINTCORE] - wide[SINGLETON]).rename("value").reset_index()


@pytest.fixture(scope="module")
def uneven(make_frame) -> pd.DataFrame:
    """Families of different size, and a model without some tasks."""
    frame = make_frame(("qwen25_14b", "gemma4_12b_it", "local"), tasks=40)
    dropped = ((frame["family"] == "synergy_xor") & (frame["paper_task_id"] > "task00012")) | (
        (frame["model"] == "local") & (frame["paper_task_id"] > "task00030")
    )
    return frame[~dropped]


@pytest.mark.parametrize("measure", ["trajectory_success", "active_token_savings", "cost_gap"])
def test_families_weigh_the_same_whatever_their_size(uneven, measure: str) -> None:
    expected = differences(uneven, measure)
    pool = pooled_difference(uneven, measure, replicates=200)
    assert pool.mean == pytest.approx(nested_mean(expected), abs=1e-12)
    assert pool.mean != pytest.approx(expected["value"].mean(), abs=1e-6)
    assert pool.ci_low < pool.mean < pool.ci_high
    assert pool.undefined == expected["value"].isna().sum()
    assert pool.models == ("qwen25_14b", "gemma4_12b_it", "local")
    by_family = pool.by_family.set_index("family")
    for family, part in expected.groupby("family"):
        assert by_family.loc[family, "mean"] == pytest.approx(nested_mean(part), abs=1e-12)
        assert by_family.loc[family, "models"] == 3


def test_measure_of_one_method(uneven) -> None:
    own = uneven[uneven["method"] == JOINTCORE].rename(columns={"intervention_count": "value"})
    pool = pooled_measure(uneven, "intervention_count", JOINTCORE, replicates=100)
    assert pool.mean == pytest.approx(nested_mean(own), abs=1e-12)
    assert pool.by_family["tasks"].tolist() == own.groupby("family")["paper_task_id"].nunique().tolist()


def test_balanced_pool_is_the_task_cluster_bootstrap_of_all_rows(make_frame) -> None:
    frame = make_frame(tasks=30)
    rows = differences(frame, "intervention_count")
    pool = pooled_difference(frame, "intervention_count", replicates=20_000)
    plain = cluster_bootstrap(rows["value"], rows["paper_task_id"], seed=1, replicates=20_000)
    assert pool.mean == pytest.approx(plain.mean, abs=1e-12)
    tolerance = 0.05 * (plain.high - plain.low)
    assert pool.ci_low == pytest.approx(plain.low, abs=tolerance)
    assert pool.ci_high == pytest.approx(plain.high, abs=tolerance)


def test_a_replicate_keeps_every_family_and_weighs_them_the_same(make_frame) -> None:
    # 36 tasks of one family with savings near 0.9, 6 of another near 0.1: the pool is near 0.5 in every replicate
    frame = make_frame(tasks=42, methods=(JOINTCORE,), families=("a",) * 6 + ("b",))
    noise = 0.1 * frame["active_token_savings"]
    frame["active_token_savings"] = np.where(frame["family"] == "a", 0.9, 0.1) - noise + 0.05
    pool = pooled_measure(frame, "active_token_savings", JOINTCORE)
    assert pool.ci_low < pool.mean < pool.ci_high
    # by hand: resample the tasks of each family, then take the mean of the families' means
    values = frame.pivot(index="paper_task_id", columns="model", values="active_token_savings").mean(axis=1).to_numpy()
    rng = np.random.default_rng(1)
    parts = [values[np.arange(42) % 7 < 6], values[np.arange(42) % 7 == 6]]
    families = [part[rng.integers(0, len(part), (20_000, len(part)))].mean(axis=1) for part in parts]
    low, high = np.quantile(np.mean(families, axis=0), [0.025, 0.975])
    assert high - low < 0.1
    assert pool.ci_low == pytest.approx(low, abs=0.1 * (high - low))
    assert pool.ci_high == pytest.approx(high, abs=0.1 * (high - low))


def test_both_terms_and_the_difference_are_of_the_same_pairs(uneven) -> None:
    pools = pool_frame(uneven, replicates=50).set_index(["measure", "family", "first", "second"]).sort_index()
    for measure, family in pools.index.droplevel(["first", "second"]).unique():
        part = pools.loc[(measure, family)]
        difference, one, other = part.loc[(JOINTCORE, SINGLETON)], part.loc[(JOINTCORE, "")], part.loc[(SINGLETON, "")]
        assert difference["mean"] == pytest.approx(one["mean"] - other["mean"], abs=1e-12)
        for counted in ("models", "tasks", "undefined", "empty_cells"):
            assert difference[counted] == one[counted] == other[counted]
    assert pools.loc[("cost_gap", "all", JOINTCORE, SINGLETON), "undefined"] > 0


def test_row_order_does_not_matter(uneven) -> None:
    pool = pooled_difference(uneven, "cost_gap", replicates=50)
    again = pooled_difference(uneven.sample(frac=1.0, random_state=2), "cost_gap", replicates=50)
    assert (pool.mean, pool.ci_low, pool.ci_high) == (again.mean, again.ci_low, again.ci_high)
    pd.testing.assert_frame_equal(pool.by_family, again.by_family, check_exact=True)


def test_cells_without_a_defined_value_enter_no_mean(make_frame) -> None:
    frame = make_frame(tasks=12, methods=(SINGLETON, JOINTCORE))
    hidden = (frame["family"] == "synergy_xor") & (frame["model"] == "qwen25_14b")
    frame.loc[hidden, "cost_gap"] = np.nan
    pool = pooled_difference(frame, "cost_gap", replicates=20)
    assert pool.empty_cells == 1
    assert pool.mean == pytest.approx(nested_mean(differences(frame, "cost_gap")), abs=1e-12)
    assert pool.by_family.set_index("family").loc["synergy_xor", "models"] == 1
    nothing = pooled_difference(frame.assign(cost_gap=np.nan), "cost_gap")
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.ci_low)
    assert (nothing.undefined, nothing.empty_cells, len(nothing.by_family)) == (24, 6, 0)


def test_equal_values_have_an_interval_without_width(make_frame) -> None:
    frame = make_frame(tasks=12).assign(active_token_savings=0.1)
    pool = pooled_measure(frame, "active_token_savings", JOINTCORE)
    assert pool.ci_low == pool.mean == pool.ci_high == pytest.approx(0.1, abs=1e-15)


def test_refuses_what_cannot_be_pooled(make_frame) -> None:
    frame = make_frame(tasks=9)
    with pytest.raises(ValueError, match="'speed' is no measure"):
        pooled_measure(frame, "speed", JOINTCORE)
    with pytest.raises(ValueError, match="Method 'nothing' has no rows for model 'qwen25_14b'"):
        pooled_measure(frame, "cost_gap", "nothing")
    torn = frame[~((frame["model"] == "gemma4_12b_it") & (frame["family"] == "synergy_xor"))]
    with pytest.raises(ValueError, match="Model 'gemma4_12b_it' has no task of family 'synergy_xor'"):
        pooled_difference(torn, "trajectory_success")
