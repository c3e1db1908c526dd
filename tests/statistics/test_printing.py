import math

import pandas as pd
import pytest

from jointcore.statistics.printing import format_p, format_queries, format_rate, printed, shown


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1.000"), (0.5856481, "0.586"), (0.0, "0.000"), (-0.02, "-0.020"), (math.nan, "–")]
)
def test_rates(value: float, text: str) -> None:
    assert format_rate(value) == text


@pytest.mark.parametrize(("value", "text"), [(16.0, "16.00"), (9.9676, "9.97"), (-6.032, "-6.03"), (math.nan, "–")])
def test_queries(value: float, text: str) -> None:
    assert format_queries(value) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (-0.0001, 3, "-0.0001"),
        (-0.000095, 3, "-0.0001"),
        (0.000049, 3, "0.00005"),
        (0.0048, 3, "0.005"),
        (-0.004, 2, "-0.004"),
        (-3e-9, 3, "-3e-09"),
        (1e-14, 3, "0.000"),
        (-0.0, 3, "0.000"),
        (math.inf, 2, "∞"),
    ],
)
def test_rounding_hides_neither_a_sign_nor_that_something_is_not_zero(value, digits, text) -> None:
    assert shown(value, digits) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "<.001"), (0.000999, "<.001"), (0.001, ".001"), (0.0456, ".046"), (1.0, "1.000"), (math.nan, "–")],
)
def test_p_values(value: float, text: str) -> None:
    assert format_p(value) == text


def test_printed_leaves_other_columns_and_the_input_alone() -> None:
    table = pd.DataFrame({"model": ["m"], "p": [0.5]})
    cells = printed(table, {"p": format_p})
    assert cells.to_dict("records") == [{"model": "m", "p": ".500"}]
    assert table["p"].iloc[0] == 0.5
    with pytest.raises(ValueError, match="no column 'q'"):
        printed(table, {"q": format_p})
