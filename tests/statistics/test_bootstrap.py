import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from scipy.stats import bootstrap as scipy_bootstrap

from jointcore.statistics.bootstrap import cluster_bootstrap

ROWS = st.lists(st.tuples(st.integers(-30, 30).map(lambda k: k / 7), st.integers(0, 6)), min_size=1, max_size=40)


@pytest.mark.parametrize("size", [2, 17, 432])
def test_one_row_a_task_equals_scipy_with_the_same_generator(size: int) -> None:
    x = np.random.default_rng(size).gamma(2.0, 1.0, size)
    scipys = scipy_bootstrap(
        (x,), np.mean, n_resamples=2_000, method="percentile", rng=np.random.default_rng(77)
    ).confidence_interval
    ours = cluster_bootstrap(x, seed=77)
    assert (ours.low, ours.high) == pytest.approx(tuple(scipys), abs=1e-12)
    assert ours.mean == pytest.approx(x.mean(), abs=1e-12)
    assert (ours.clusters, ours.replicates) == (size, 2_000)


def test_clusters_of_unequal_size_equal_a_loop_over_the_same_draws() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 9, 50)
    x = rng.normal(size=50) + labels
    names = np.unique(labels)
    drawn = np.random.default_rng(5).integers(0, names.size, size=(300, names.size))
    means = [np.concatenate([x[labels == names[k]] for k in row]).mean() for row in drawn]
    ours = cluster_bootstrap(x, labels, seed=5, replicates=300, confidence=0.9)
    assert ours.low == pytest.approx(np.quantile(means, 0.05), abs=1e-12)
    assert ours.high == pytest.approx(np.quantile(means, 0.95), abs=1e-12)
    assert ours.mean == pytest.approx(x.mean(), abs=1e-12)
    assert ours.clusters == names.size


def test_booleans_follow_the_binomial_distribution() -> None:
    n, successes = 400, 100
    x = np.arange(n) < successes
    interval = cluster_bootstrap(x, seed=3, replicates=20_000)
    error = 4.5 * math.sqrt(0.025 * 0.975 / 20_000)
    distribution = binom(n, successes / n)
    # the exact quantile lies on a lattice: its tail brackets the nominal one
    assert distribution.cdf(round(interval.low * n) - 1) <= 0.025 + error
    assert distribution.cdf(round(interval.low * n)) >= 0.025 - error
    assert distribution.sf(round(interval.high * n)) <= 0.025 + error
    assert distribution.sf(round(interval.high * n) - 1) >= 0.025 - error


def test_width_shrinks_with_the_standard_error() -> None:
    x = np.random.default_rng(2).normal(size=2_000)
    interval = cluster_bootstrap(x, seed=1, replicates=4_000)
    expected = 2 * 1.959964 * x.std() / math.sqrt(x.size)
    assert interval.high - interval.low == pytest.approx(expected, rel=0.05)


def test_whole_weights_equal_repeated_rows() -> None:
    x, labels = np.array([1.0, 4.0, -2.0, 0.5]), np.array(["a", "a", "b", "c"])
    weights = np.array([1, 3, 2, 4])
    weighted = cluster_bootstrap(x, labels, weights=weights, seed=8, replicates=500)
    repeated = cluster_bootstrap(np.repeat(x, weights), np.repeat(labels, weights), seed=8, replicates=500)
    assert (weighted.mean, weighted.low, weighted.high) == pytest.approx(
        (repeated.mean, repeated.low, repeated.high), abs=1e-12
    )


@pytest.mark.parametrize(
    ("values", "clusters"),
    [
        ([0.3], None),
        ([0.1] * 7, None),
        ([0.1, 0.7, 0.4], ["t", "t", "t"]),
        ([0.0, 1.0, 1.0, 0.0], ["a", "a", "b", "b"]),
        ([0.1] * 7, ["a", "b", "b", "c", "c", "c", "c"]),
    ],
)
def test_without_variation_between_tasks_the_interval_is_the_mean(values, clusters) -> None:
    interval = cluster_bootstrap(values, clusters, seed=1)
    assert interval.low == interval.mean == interval.high
    assert interval.mean == pytest.approx(np.mean(values), abs=1e-15)


@given(ROWS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_row_order_does_not_matter_and_negation_mirrors(rows, random) -> None:
    def run(pairs, sign=1.0):
        values, labels = zip(*pairs, strict=True)
        return cluster_bootstrap(sign * np.array(values), labels, seed=11, replicates=200)

    interval = run(rows)
    shuffled = rows.copy()
    random.shuffle(shuffled)
    assert run(shuffled) == interval
    mirrored = run(rows, -1.0)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((interval.low, interval.high), abs=1e-9)
    values = [value for value, _ in rows]
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


def test_coverage_with_clustered_rows() -> None:
    """About 95% of the intervals cover the truth; resampling rows instead covers far less."""
    rng = np.random.default_rng(99)
    runs, tasks, rows = 600, 60, 4
    labels = np.repeat(np.arange(tasks), rows)
    by_task = by_row = 0
    for run in range(runs):
        x = np.repeat(rng.normal(0.3, 1.0, tasks), rows) + rng.normal(0.0, 0.5, tasks * rows)
        interval = cluster_bootstrap(x, labels, seed=run, replicates=500)
        by_task += interval.low <= 0.3 <= interval.high
        naive = cluster_bootstrap(x, seed=run, replicates=500)
        by_row += naive.low <= 0.3 <= naive.high
    # a percentile interval of 60 tasks is short by a factor near sqrt(59/60) and t/z: 0.94 or so
    assert 0.91 <= by_task / runs <= 0.975
    assert by_row / runs < 0.80


def test_blocks_give_the_draws_of_one_call() -> None:
    x = np.random.default_rng(4).normal(size=3_000)  # 2,000 replicates do not fit one block
    drawn = np.random.default_rng(6).integers(0, x.size, size=(2_000, x.size))
    low, high = np.quantile(x[drawn].mean(axis=1), [0.025, 0.975])
    interval = cluster_bootstrap(x, seed=6)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": []}, "values is empty"),
        ({"values": [1.0, np.inf]}, "values holds inf at position 1"),
        ({"values": [1.0, 2.0], "clusters": ["a"]}, "clusters has 1 labels and values 2 rows"),
        ({"values": [1.0, 2.0], "weights": [1.0]}, "weights has 1 values and values 2"),
        ({"values": [1.0, 2.0], "weights": [1.0, 0.0]}, "weights holds 0.0"),
        ({"values": [1.0], "replicates": 0}, "replicates is 0"),
        ({"values": [1.0], "confidence": 1.0}, "confidence is 1.0"),
    ],
)
def test_refuses_bad_input(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cluster_bootstrap(**arguments, seed=1)
