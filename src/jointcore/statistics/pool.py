"""Family-weighted pool: mean over families of the mean over models (paper, "Statistics")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from jointcore.hashing import stable_seed
from jointcore.statistics.bootstrap import Interval, cluster_bootstrap
from jointcore.statistics.frame import require_measure, validate_model_frame
from jointcore.statistics.pairs import pair_methods, split_cells
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    JOINTCORE,
    SINGLETON,
    STUDY_SEED,
    ordered_models,
)
from jointcore.statistics.vectors import exact_mean


@dataclass(frozen=True)
class Pool:
    """A pooled mean with its interval, and the same by family.

    ``by_family`` has one row a family: family, mean, ci_low, ci_high, models, tasks. ``undefined``
    counts values left out, ``empty_cells`` the (family, model) cells that had none left and so
    enter no mean.
    """

    mean: float
    ci_low: float
    ci_high: float
    models: tuple[str, ...]
    undefined: int
    empty_cells: int
    by_family: pd.DataFrame


def pooled_measure(
    frame: pd.DataFrame,
    measure: str,
    method: str,
    *,
    seed: int = STUDY_SEED,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> Pool:
    """Pool of one method's ``measure``.

    Raises:
        ValueError: an invalid frame, an unknown measure, a model without the method or without a
            family that another model has.
    """
    require_measure(measure)
    cells = split_cells(validate_model_frame(frame))
    parts = []
    for model in ordered_models(name for name, _ in cells):
        if (model, method) not in cells:
            raise ValueError(f"Method {method!r} has no rows for model {model!r}; run it there or leave the model out.")
        rows = cells[model, method]
        parts.append(_values(rows, model, rows[measure].to_numpy(dtype=np.float64)))
    return _pool(pd.concat(parts), stable_seed(seed, "pool", measure, method), replicates)


def pooled_difference(
    frame: pd.DataFrame,
    measure: str,
    first: str = JOINTCORE,
    second: str = SINGLETON,
    *,
    seed: int = STUDY_SEED,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> Pool:
    """Pool of the paired differences (first minus second) of ``measure``.

    Raises:
        ValueError: an invalid frame, an unknown measure, a missing method, unpaired tasks, a model
            without a family that another model has.
    """
    require_measure(measure)
    cells = split_cells(validate_model_frame(frame))
    parts = []
    for model in ordered_models(name for name, _ in cells):
        pair = pair_methods(cells, model, first, second)
        a, b = pair.values(measure)
        parts.append(_values(pair.first_rows, model, a.astype(np.float64) - b.astype(np.float64)))
    drawn = stable_seed(seed, "pool", measure, *sorted((first, second)))
    return _pool(pd.concat(parts), drawn, replicates)


def _values(rows: pd.DataFrame, model: str, values: np.ndarray) -> pd.DataFrame:
    part = rows[["family", "paper_task_id"]].copy()
    part["model"] = model
    part["value"] = values
    return part


def _pool(values: pd.DataFrame, seed: int, replicates: int) -> Pool:
    """Pool of columns family, paper_task_id, model, value; NaN is undefined."""
    models = tuple(values["model"].unique())
    families = sorted(values["family"].unique())
    counts = values.groupby(["family", "model"])["value"].count()
    for family in families:
        for model in models:
            if (family, model) not in counts.index:
                raise ValueError(
                    f"Model {model!r} has no task of family {family!r}; run every model on the "
                    "same tasks or leave the model out."
                )
    defined = values.dropna(subset="value").copy()
    if defined.empty:
        nothing = pd.DataFrame(columns=["family", "mean", "ci_low", "ci_high", "models", "tasks"])
        nan = float("nan")
        return Pool(nan, nan, nan, models, len(values), len(counts), nothing)

    # A row weighs 1 / (models of its family * rows of its cell): a family weighs 1, and the
    # weighted mean over all rows is the mean over families of the mean over models.
    cell_size = defined.groupby(["family", "model"])["value"].transform("count")
    models_of = defined.groupby("family")["model"].transform("nunique")
    defined["weight"] = 1.0 / (cell_size * models_of)
    rows = []
    for family, part in defined.groupby("family", sort=True):
        mean = _mean_over_models(part)
        low, high = _ends(mean, _interval(part, stable_seed(seed, family), replicates))
        rows.append(
            {
                "family": family,
                "mean": mean,
                "ci_low": low,
                "ci_high": high,
                "models": part["model"].nunique(),
                "tasks": part["paper_task_id"].nunique(),
            }
        )
    by_family = pd.DataFrame(rows)
    mean = exact_mean(by_family["mean"])
    low, high = _ends(mean, _interval(defined, seed, replicates))
    return Pool(
        mean=mean,
        ci_low=low,
        ci_high=high,
        models=models,
        undefined=len(values) - len(defined),
        empty_cells=int((counts == 0).sum()),
        by_family=by_family,
    )


def _mean_over_models(part: pd.DataFrame) -> float:
    return exact_mean([exact_mean(cell["value"]) for _, cell in part.groupby("model")])


def _ends(mean: float, interval: Interval) -> tuple[float, float]:
    """The interval's ends; of an interval without width, ``mean`` itself."""
    if interval.low == interval.high:
        return mean, mean
    return interval.low, interval.high


def _interval(part: pd.DataFrame, seed: int, replicates: int) -> Interval:
    return cluster_bootstrap(
        part["value"],
        part["paper_task_id"].to_numpy(dtype=object),
        weights=part["weight"],
        seed=seed,
        replicates=replicates,
    )
