import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from jointcore.statistics.mcnemar import exact_mcnemar

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def from_counts(both: int, first_only: int, second_only: int, neither: int):
    first = [True] * both + [True] * first_only + [False] * second_only + [False] * neither
    second = [True] * both + [False] * first_only + [True] * second_only + [False] * neither
    return exact_mcnemar(first, second)


@pytest.mark.parametrize(("b", "c"), [(b, c) for b, c in itertools.product(range(0, 30, 3), repeat=2) if b + c])
def test_equals_the_binomial_test_of_the_discordant_pairs(b: int, c: int) -> None:
    expected = binomtest(b, b + c, 0.5, alternative="two-sided").pvalue
    assert from_counts(7, b, c, 3).p_value == pytest.approx(expected, abs=1e-12)


def test_closed_form_when_all_discordant_pairs_agree() -> None:
    assert from_counts(0, 10, 0, 0).p_value == pytest.approx(2 * 0.5**10, abs=1e-15)


def test_balanced_discordance_is_capped_at_one() -> None:
    assert from_counts(0, 4, 4, 0).p_value == 1.0


def test_no_discordant_pairs_gives_one() -> None:
    result = from_counts(5, 0, 0, 4)
    assert result.p_value == 1.0
    assert (result.discordant, result.pairs) == (0, 9)


@given(PAIRS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_counts_and_symmetry(pairs: list[tuple[bool, bool]]) -> None:
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    forward, backward = exact_mcnemar(first, second), exact_mcnemar(second, first)
    assert forward.p_value == backward.p_value
    assert (forward.first_only, forward.second_only) == (backward.second_only, backward.first_only)
    assert forward.first_only == pairs.count((True, False))
    assert forward.both == pairs.count((True, True))
    assert forward.neither == pairs.count((False, False))
    assert forward.pairs == len(pairs)


def test_refuses_what_is_not_paired_booleans() -> None:
    with pytest.raises(ValueError, match="first has 2 values and second 1"):
        exact_mcnemar([True, False], [True])
    with pytest.raises(ValueError, match="second holds int64 values; pass booleans"):
        exact_mcnemar([True, False], [1, 0])
    with pytest.raises(ValueError, match="first is empty"):
        exact_mcnemar([], [])
    with pytest.raises(ValueError, match="first has 2 dimensions"):
        exact_mcnemar([[True]], [[True]])
