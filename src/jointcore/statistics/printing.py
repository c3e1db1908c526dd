"""Numbers as the paper prints them: rates with 3 decimals, queries with 2, p from .001 on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pandas as pd

UNDEFINED = "\N{EN DASH}"


def format_rate(value: float) -> str:
    """Three decimals; an undefined value is an en dash."""
    return _decimals(value, 3)


def format_queries(value: float) -> str:
    """Two decimals; an undefined value is an en dash."""
    return _decimals(value, 2)


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


def _decimals(value: float, digits: int) -> str:
    if math.isnan(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0.0 else text
