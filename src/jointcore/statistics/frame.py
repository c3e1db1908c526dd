"""The two tidy input frames of the statistics and their validation.

Model frame: one row a (model, method, task). Robustness frame: one row a (model, method, task,
interface, label style). Columns and meaning follow the paper's measures of the model stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api import types

from jointcore.evaluation.measure_catalogue import BOOLEAN, CONTROL, COUNT, MEASURES, WITH_CONTROL
from jointcore.evaluation.model_storage import TASK_COLUMNS
from jointcore.statistics.registration import ordered_methods, ordered_models

Cells = Mapping[tuple[str, str], pd.DataFrame]
"""(model, method) to its rows, sorted by task."""

_TASK_TEXT = ("domain", "family")
_TASK_NUMBERS = ("candidate_count", "support_size", "horizon_label", "seed_block")
_KEY = ("model", "method", "paper_task_id")
#: Columns of the model frame.
MODEL_COLUMNS = ("model", "method", *TASK_COLUMNS, *WITH_CONTROL)

_ROBUSTNESS_KEY = ("model", "method", "paper_task_id", "interface", "label_style")
_ROBUSTNESS_BOOLEANS = ("trajectory_success", "agrees_with_primary")


@dataclass(frozen=True, eq=False)
class ModelFrame:
    """A model frame that was checked, so that nothing checks it again.

    Attributes:
        rows: what :func:`validate_model_frame` returns.
        cells: its rows by (model, method).
        models, methods: what is in it, in table order.
    """

    rows: pd.DataFrame
    cells: Cells
    models: tuple[str, ...]
    methods: tuple[str, ...]

    @classmethod
    def of(cls, frame: pd.DataFrame | ModelFrame, methods: Iterable[str] = ()) -> ModelFrame:
        """A frame as a checked one; one that is checked already comes back as it is.

        Args:
            frame: the model frame.
            methods: methods in table order; those that are not named follow in the catalogue's.

        Raises:
            ValueError: see :func:`validate_model_frame`.
        """
        if isinstance(frame, ModelFrame):
            return frame
        rows = validate_model_frame(frame)
        return cls(
            rows,
            split_cells(rows),
            tuple(ordered_models(rows["model"])),
            tuple(ordered_methods(rows["method"], methods)),
        )


def split_cells(frame: pd.DataFrame) -> Cells:
    """A validated frame (sorted by task within model and method) by (model, method)."""
    return {(str(model), str(method)): rows for (model, method), rows in frame.groupby(["model", "method"], sort=True)}


def validate_model_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The model frame, checked, sorted by model, method and task, with a fresh index.

    A measure that the catalogue calls ``undefined`` may be NaN; no other value may be missing. Columns beyond
    :data:`MODEL_COLUMNS` are kept as they are.

    Raises:
        ValueError: no rows; a missing column, a missing or infinite value, a wrong type or a
            value out of range; a row given twice; a task whose family, domain or full-memory
            control differs between rows. The sentence names the column and the remedy.
    """
    _require_columns(frame, MODEL_COLUMNS, "model frame")
    checked = frame.copy()
    for column in (*_KEY, *_TASK_TEXT):
        checked[column] = _text(checked[column], column)
    for column in _TASK_NUMBERS:
        checked[column] = _numbers(checked[column], column, whole=True)
    for column, measure in WITH_CONTROL.items():
        checked[column] = (
            _booleans(checked[column], column)
            if measure.kind == BOOLEAN
            else _numbers(
                checked[column],
                column,
                limits=(0.0, measure.largest),
                whole=measure.kind == COUNT,
                undefined=measure.undefined,
            )
        )
    checked = _unique_rows(checked, _KEY)
    for column in (*_TASK_TEXT, *_TASK_NUMBERS):
        _constant(checked, column, ("paper_task_id",))
    _constant(checked, CONTROL.key, ("model", "paper_task_id"))
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
    return MEASURES[measure].kind == BOOLEAN


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
