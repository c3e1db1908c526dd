import math

import numpy as np
import pytest
from scipy.stats import ttest_rel
from statsmodels.stats.contingency_tables import StratifiedTable

from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.effects import cohens_dz, matched_odds_ratio, paired_effect


def test_dz_is_the_paired_t_statistic_over_the_root_of_n() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(1.0, 2.0, 37), rng.normal(0.5, 1.0, 37)
    expected = ttest_rel(first, second).statistic / math.sqrt(37)
    assert cohens_dz(first - second) == (pytest.approx(expected, abs=1e-12), "")
    assert paired_effect(first, second, boolean=False, seed=1).effect == pytest.approx(expected, abs=1e-12)


def test_matched_odds_ratio_is_mantel_haenszel_over_the_pairs() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random(80) < 0.7, rng.random(80) < 0.5
    strata = [np.array([[a, not a], [b, not b]], dtype=float) for a, b in zip(first, second, strict=True)]
    expected = StratifiedTable(strata).oddsratio_pooled
    effect = paired_effect(first, second, boolean=True, seed=1)
    assert effect.effect == pytest.approx(expected, abs=1e-12)
    assert effect.effect_name == "matched_odds_ratio"
    assert (effect.first_only, effect.second_only) == (
        int(np.sum(first & ~second)),
        int(np.sum(second & ~first)),
    )
    assert effect.difference == pytest.approx(first.mean() - second.mean(), abs=1e-12)


def test_interval_is_that_of_the_differences() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(size=30), rng.normal(size=30)
    tasks = [f"t{k % 10}" for k in range(30)]
    effect = paired_effect(first, second, tasks, boolean=False, seed=6)
    interval = cluster_bootstrap(first - second, tasks, seed=6)
    assert (effect.difference, effect.ci_low, effect.ci_high) == (interval.mean, interval.low, interval.high)
    assert effect.mean_first == pytest.approx(first.mean(), abs=1e-12)
    assert effect.mean_second == pytest.approx(second.mean(), abs=1e-12)


def test_undefined_values_are_left_out_and_counted() -> None:
    effect = paired_effect(
        [0.5, math.nan, 0.25, 0.0], [0.0, 0.0, math.nan, 0.25], ["a", "b", "c", "d"], boolean=False, seed=1
    )
    assert (effect.pairs, effect.undefined) == (2, 2)
    assert effect.difference == pytest.approx((0.5 - 0.25) / 2, abs=1e-15)
    assert effect.mean_first == 0.25


def test_no_pair_defined() -> None:
    effect = paired_effect([math.nan], [1.0], boolean=False, seed=1)
    assert math.isnan(effect.difference)
    assert math.isnan(effect.ci_low)
    assert math.isnan(effect.effect)
    assert (effect.pairs, effect.undefined, effect.effect_note) == (0, 1, "no pair has both values")
    assert cohens_dz([])[1] == "no pair has both values"


@pytest.mark.parametrize(
    ("first", "second", "note"),
    [
        ([1.0, 2.0], [1.0, 2.0], "all differences are equal"),
        ([3.0, 4.0], [1.0, 2.0], "all differences are equal"),
        ([0.1 + 0.2, 0.3], [0.3, 0.3], "all differences are equal"),
        ([1.0], [0.0], "one pair has no spread"),
    ],
)
def test_dz_without_spread_is_undefined_with_a_reason(first, second, note) -> None:
    effect = paired_effect(first, second, boolean=False, seed=1)
    assert math.isnan(effect.effect)
    assert effect.effect_note == note
    assert effect.first_only is None


@pytest.mark.parametrize(
    ("first_only", "second_only", "ratio", "note"),
    [
        (0, 0, math.nan, "no discordant pairs"),
        (3, 0, math.inf, "every discordant pair favours the first"),
        (0, 3, 0.0, "every discordant pair favours the second"),
        (3, 2, 1.5, ""),
    ],
)
def test_odds_ratio_at_the_border(first_only, second_only, ratio, note) -> None:
    found, reason = matched_odds_ratio(first_only, second_only)
    assert found == pytest.approx(ratio, nan_ok=True)
    assert reason == note


def test_refuses_bad_input() -> None:
    with pytest.raises(ValueError, match="first has 2 values and second 1"):
        paired_effect([1.0, 2.0], [1.0], boolean=False, seed=1)
    with pytest.raises(ValueError, match="first holds float64 values; pass booleans"):
        paired_effect([1.0], [1.0], boolean=True, seed=1)
    with pytest.raises(ValueError, match="second is no one-dimensional array of finite or NaN"):
        paired_effect([1.0], [math.inf], boolean=False, seed=1)
