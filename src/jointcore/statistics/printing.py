"""Numbers as the paper prints them: rates with 3 decimals, queries with 2, p from .001 on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pandas as pd

UNDEFINED = "\N{EN DASH}"
_NOISE = 1e-12


def format_rate(value: float) -> str:
    """Three decimals; an undefined value is an en dash."""
    return shown(value, 3)


def format_queries(value: float) -> str:
    """Two decimals; an undefined value is an en dash."""
    return shown(value, 2)


def format_p(value: float) -> str:
    """``<.001`` below 0.001, else three decimals without the leading zero; 1 is ``1.000``."""
    if math.isnan(value):
        return UNDEFINED
    if value < 0.001:
        return "<.001"
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0") else text


def printed(table: pd.DataFrame, formats: Mapping[str, Callable[[float], str]]) -> pd.DataFrame:
    """``table`` with the columns of ``formats`` as printed text, the other columns unchanged.

    Raises:
        ValueError: a column of ``formats`` is not in the table.
    """
    missing = [column for column in formats if column not in table.columns]
    if missing:
        raise ValueError(f"The table has no column {missing[0]!r}; pass the table that the formats belong to.")
    cells = table.copy()
    for column, form in formats.items():
        cells[column] = [form(float(value)) for value in table[column]]
    return cells


def shown(value: float, digits: int) -> str:
    """A number with so many decimals, or with more where they would hide that it is not zero, or its sign.

    What is smaller than 1e-12 is rounding noise of a sum and shows as zero; an infinite value shows as "∞".
    """
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) < _NOISE:
        value = 0.0
    if 0.0 < abs(value) < 1e-6:
        return f"{value:.0e}"
    while value and not float(f"{value:.{digits}f}"):
        digits += 1
    return f"{value:.{digits}f}"
