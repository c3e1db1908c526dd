"""The two tidy input frames of the statistics and their validation.

Model frame: one row a (model, method, task). Robustness frame: one row a (model, method, task,
interface, label style). Columns and meaning follow the paper's measures of the model stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from pandas.api import types

MEASURES: Mapping[str, str] = {
    "behavioral_sufficiency": "boolean",
    "exact_sufficiency": "boolean",
    "valid_minimum_set": "boolean",
    "critical_recall": "number",
    "active_token_savings": "number",
    "cost_gap": "number",
    "intervention_count": "number",
    "budget_exhausted": "boolean",
    "final_decision_correct": "boolean",
    "trajectory_success": "boolean",
    "selection_accuracy": "number",
    "satisfied_share": "number",
    "invalid_decisions": "number",
}
"""Measure of one retained set to its kind, in the order of the tables."""

CONTROL = "control_accuracy"
"""Whether full memory was decided right: a property of (model, task), the same for all methods."""

_TASK_TEXT = ("domain", "family")
_TASK_NUMBERS = ("candidate_count", "support_size", "horizon_label", "seed_block")
_KEY = ("model", "method", "paper_task_id")
_BOOLEANS = (*(name for name, kind in MEASURES.items() if kind == "boolean"), CONTROL)
_RANGES: Mapping[str, tuple[float, float]] = {
    "critical_recall": (0.0, 1.0),
    "active_token_savings": (0.0, 1.0),
    "cost_gap": (0.0, np.inf),
    "intervention_count": (0.0, np.inf),
    "selection_accuracy": (0.0, 1.0),
    "satisfied_share": (0.0, 1.0),
    "invalid_decisions": (0.0, np.inf),
}
_WHOLE = ("intervention_count", "invalid_decisions")
_UNDEFINED_ALLOWED = ("cost_gap", "selection_accuracy", "satisfied_share")

_ROBUSTNESS_KEY = ("model", "method", "paper_task_id", "interface", "label_style")
_ROBUSTNESS_BOOLEANS = ("trajectory_success", "agrees_with_primary")


def validate_model_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The model frame, checked, sorted by model, method and task, with a fresh index.

    ``cost_gap``, ``selection_accuracy`` and ``satisfied_share`` may be NaN (undefined); no other value may be
    missing.
    Columns beyond the contract are kept as they are.

    Raises:
        ValueError: no rows; a missing column, a missing or infinite value, a wrong type or a
            value out of range; a row given twice; a task whose family, domain or full-memory
            control differs between rows. The sentence names the column and the remedy.
    """
    needed = (*_KEY, *_TASK_TEXT, *_TASK_NUMBERS, *MEASURES, CONTROL)
    _require_columns(frame, needed, "model frame")
    checked = frame.copy()
    for column in (*_KEY, *_TASK_TEXT):
        checked[column] = _text(checked[column], column)
    for column in _TASK_NUMBERS:
        checked[column] = _numbers(checked[column], column, whole=True)
    for column in _BOOLEANS:
        checked[column] = _booleans(checked[column], column)
    for column, limits in _RANGES.items():
        checked[column] = _numbers(
            checked[column],
            column,
            limits=limits,
            whole=column in _WHOLE,
            undefined=column in _UNDEFINED_ALLOWED,
        )
    checked = _unique_rows(checked, _KEY)
    for column in (*_TASK_TEXT, *_TASK_NUMBERS):
        _constant(checked, column, ("paper_task_id",))
    _constant(checked, CONTROL, ("model", "paper_task_id"))
    return checked


def validate_robustness_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The robustness frame, checked, sorted by its key, with a fresh index.

    ``action`` may be missing (an invalid decision takes no action); nothing else may be.

    Raises:
        ValueError: as :func:`validate_model_frame`.
    """
    _require_columns(frame, (*_ROBUSTNESS_KEY, *_ROBUSTNESS_BOOLEANS, "action"), "robustness frame")
    checked = frame.copy()
    for column in _ROBUSTNESS_KEY:
        checked[column] = _text(checked[column], column)
    for column in _ROBUSTNESS_BOOLEANS:
        checked[column] = _booleans(checked[column], column)
    return _unique_rows(checked, _ROBUSTNESS_KEY)


def require_measure(measure: str) -> bool:
    """Whether ``measure`` is boolean.

    Raises:
        ValueError: it is no measure of the model frame.
    """
    if measure not in MEASURES:
        raise ValueError(f"{measure!r} is no measure; choose one of {', '.join(MEASURES)}.")
    return MEASURES[measure] == "boolean"


def _require_columns(frame: pd.DataFrame, needed: Iterable[str], name: str) -> None:
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise ValueError(
            f"The {name} lacks the column{'s' if len(missing) > 1 else ''} "
            f"{', '.join(missing)}; add what the input contract names."
        )
    if frame.empty:
        raise ValueError(f"The {name} has no rows; run the stage for at least one model first.")


def _text(series: pd.Series, column: str) -> pd.Series:
    _refuse_missing(series, column)
    text = series.astype(str)
    if (text == "").any():
        raise ValueError(f"Column {column!r} holds an empty text; give every row its {column}.")
    return text


def _booleans(series: pd.Series, column: str) -> pd.Series:
    _refuse_missing(series, column)
    if not types.is_bool_dtype(series):
        raise ValueError(f"Column {column!r} holds {series.dtype} values; write it as booleans (true or false).")
    return series.astype(bool)


def _numbers(
    series: pd.Series,
    column: str,
    *,
    limits: tuple[float, float] = (-np.inf, np.inf),
    whole: bool = False,
    undefined: bool = False,
) -> pd.Series:
    if types.is_bool_dtype(series) or not types.is_numeric_dtype(series):
        raise ValueError(f"Column {column!r} holds {series.dtype} values; write it as numbers.")
    if not undefined:
        _refuse_missing(series, column)
    values = series.astype("float64")
    if np.isinf(values).any():
        raise ValueError(f"Column {column!r} holds an infinite value; write undefined as NaN.")
    low, high = limits
    outside = values[(values < low) | (values > high)]
    if len(outside):
        raise ValueError(
            f"Column {column!r} holds {outside.iloc[0]:g}, outside {low:g} to {high:g}; correct the measure."
        )
    if whole:
        broken = values[values != np.floor(values)]
        if len(broken):
            raise ValueError(f"Column {column!r} holds {broken.iloc[0]:g}; write it as whole numbers.")
        return values.astype("int64")
    return values


def _refuse_missing(series: pd.Series, column: str) -> None:
    missing = int(series.isna().sum())
    if missing:
        raise ValueError(f"Column {column!r} misses {missing} of {len(series)} values; give every row a value.")


def _unique_rows(frame: pd.DataFrame, key: tuple[str, ...]) -> pd.DataFrame:
    ordered = frame.sort_values(list(key), kind="stable", ignore_index=True)
    repeated = ordered.duplicated(list(key))
    if repeated.any():
        row = ordered.loc[repeated, list(key)].iloc[0]
        described = ", ".join(f"{column} {row[column]!r}" for column in key)
        raise ValueError(f"The row of {described} is there more than once; keep one row a ({', '.join(key)}).")
    return ordered


def _constant(frame: pd.DataFrame, column: str, within: tuple[str, ...]) -> None:
    distinct = frame[[*within, column]].drop_duplicates()
    repeated = distinct.duplicated(list(within))
    if repeated.any():
        row = distinct.loc[repeated, list(within)].iloc[0]
        described = ", ".join(f"{name} {row[name]!r}" for name in within)
        raise ValueError(
            f"Column {column!r} differs between the rows of {described}; write the same value in all of them."
        )
