import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from jointcore.statistics.sign_flip import sign_flip_test

NUMBERS = st.lists(st.integers(-40, 40).map(lambda k: k / 8), min_size=1, max_size=25)


def exact_p(differences) -> float:
    """Share of all sign vectors whose mean is at least as far from zero as the observed one."""
    d = np.asarray(differences, dtype=float)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=d.size)))
    return float(np.mean(np.abs(signs @ d) >= abs(d.sum()) - 1e-9))


def monte_carlo_error(p: float, draws: int) -> float:
    return 4.5 * math.sqrt(p * (1 - p) / draws) + 1 / draws


@pytest.mark.parametrize("case", range(12))
def test_agrees_with_full_enumeration_and_scipy(case: int) -> None:
    rng = np.random.default_rng(case)
    d = rng.normal(0.4, 1.0, size=4 + case % 7)
    if case % 2:
        d = np.round(d)  # ties and zeros
    if not d.any():
        d[0] = 1.0
    exact = exact_p(d)
    scipys = permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert exact == pytest.approx(scipys, abs=1e-12)
    found = sign_flip_test(d, seed=case).p_value
    assert abs(found - exact) <= monte_carlo_error(exact, 20_000)


def test_agrees_with_scipy_at_the_size_of_the_study() -> None:
    d = np.random.default_rng(5).normal(0.06, 1.0, size=432)
    scipys = permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=20_000, vectorized=True, batch=1_000,
        rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    found = sign_flip_test(d, seed=2).p_value
    assert 0.02 < found < 0.98
    # scipy doubles one tail, so its error is twice that of a share of p / 2
    scipys_error = 2 * monte_carlo_error(found / 2, 20_000)
    assert abs(found - scipys) <= monte_carlo_error(found, 20_000) + scipys_error


def test_p_is_extreme_plus_one_over_draws_plus_one() -> None:
    result = sign_flip_test(np.ones(432), seed=1)
    assert (result.extreme, result.draws, result.pairs, result.mean) == (0, 20_000, 432, 1.0)
    assert result.p_value == pytest.approx(1 / 20_001, abs=1e-15)
    some = sign_flip_test([1.0, 1.0, 1.0], seed=1, draws=999)
    assert some.p_value == pytest.approx((some.extreme + 1) / 1000, abs=1e-15)
    assert 0 < some.extreme < 999


def test_degenerate_differences_have_p_one() -> None:
    assert sign_flip_test(np.zeros(20), seed=1).p_value == 1.0
    assert sign_flip_test([3.5], seed=1).p_value == 1.0
    assert sign_flip_test([0.0], seed=1).p_value == 1.0


def test_zeros_change_nothing_but_the_mean() -> None:
    d = np.array([1.0, 2.0, 3.0, -0.5])
    padded = sign_flip_test([*d, 0.0, 0.0], seed=3)
    exact = exact_p(d)
    assert abs(padded.p_value - exact) <= monte_carlo_error(exact, 20_000)
    assert padded.mean == pytest.approx(d.sum() / 6, abs=1e-15)


@pytest.mark.parametrize("differences", [[0.1, 0.2, -0.3], [0.1] * 3 + [-0.3]])
def test_rounding_breaks_no_tie(differences: list[float]) -> None:
    assert sign_flip_test(differences, seed=4).p_value == 1.0


def test_rounding_breaks_no_tie_of_sums() -> None:
    # 0.7 + 0.1 and 0.3 + 0.5 differ in floats; |sum| = 1.6 or 0.8 or 0: exact shares from integers
    tenths = [7, 1, -3, -5, 8]
    exact = exact_p(tenths)
    found = sign_flip_test([k / 10 for k in tenths], seed=6).p_value
    assert abs(found - exact) <= monte_carlo_error(exact, 20_000)


@given(NUMBERS, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_row_order_and_sign_do_not_matter(differences: list[float], random) -> None:
    p = sign_flip_test(differences, seed=9, draws=500).p_value
    shuffled = differences.copy()
    random.shuffle(shuffled)
    assert sign_flip_test(shuffled, seed=9, draws=500).p_value == p
    assert sign_flip_test([-d for d in differences], seed=9, draws=500).p_value == p
    assert sign_flip_test([4 * d for d in differences], seed=9, draws=500).p_value == p


def test_the_seed_decides_the_draws() -> None:
    d = np.random.default_rng(0).normal(0.2, 1.0, 50)
    assert sign_flip_test(d, seed=1) == sign_flip_test(d, seed=1)
    assert sign_flip_test(d, seed=1).extreme != sign_flip_test(d, seed=2).extreme


def test_blocks_draw_all_signs_once() -> None:
    # 6,000 pairs need several blocks; a shift of two standard errors has p near 0.0455
    d = np.random.default_rng(8).normal(0.0, 1.0, 6_000)
    d += 2 * d.std(ddof=1) / math.sqrt(d.size) - d.mean()
    result = sign_flip_test(d, seed=1, draws=3_000)
    assert abs(result.p_value - 0.0455) <= monte_carlo_error(0.0455, 3_000)


def test_level_under_the_null_hypothesis() -> None:
    rng = np.random.default_rng(20260)
    runs, draws, alpha = 2_000, 199, 0.05
    rejected = sum(
        sign_flip_test(rng.standard_t(3, size=15), seed=run, draws=draws).p_value <= alpha for run in range(runs)
    )
    assert abs(rejected / runs - alpha) <= 4 * math.sqrt(alpha * (1 - alpha) / runs)


def test_power_against_a_shift() -> None:
    rng = np.random.default_rng(20261)
    rejected = sum(
        sign_flip_test(rng.normal(1.0, 1.0, size=15), seed=run, draws=199).p_value <= 0.05 for run in range(200)
    )
    assert rejected >= 170  # the t test's power is 0.95


def test_refuses_bad_input() -> None:
    with pytest.raises(ValueError, match="differences holds nan at position 1"):
        sign_flip_test([0.0, math.nan], seed=1)
    with pytest.raises(ValueError, match="differences is empty"):
        sign_flip_test([], seed=1)
    with pytest.raises(ValueError, match="draws is 0"):
        sign_flip_test([1.0], seed=1, draws=0)
