import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.statistics.holm import holm

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=15)


def step_down(p_values: list[float]) -> list[float]:
    """Holm's procedure as its definition reads."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def test_worked_example() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06], abs=1e-15)


@given(P_VALUES)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_equals_the_definition_and_is_monotone(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert adjusted == pytest.approx(step_down(p_values), abs=1e-12)
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(adjusted[order]) >= 0)
    assert np.all(adjusted >= np.array(p_values) - 1e-15)
    assert np.all(adjusted <= 1.0)


@given(P_VALUES, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_keeps_the_order_of_the_input(p_values: list[float], random) -> None:
    places = list(range(len(p_values)))
    random.shuffle(places)
    shuffled = holm([p_values[place] for place in places])
    assert shuffled == pytest.approx(holm(p_values)[places], abs=1e-15)


def test_small_families() -> None:
    assert holm([]).shape == (0,)
    assert holm([0.2]) == pytest.approx([0.2], abs=0)
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0], abs=0)


@pytest.mark.parametrize(
    ("p_values", "message"),
    [([0.1, 1.5], "holds 1.5"), ([-0.1, 0.2], "holds -0.1"), ([np.nan], "holds nan at position 0")],
)
def test_refuses_what_is_no_p_value(p_values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        holm(p_values)
