"""Family-weighted pool: mean over families of the mean over models (paper, "Statistics")."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.hashing import stable_seed
from jointcore.statistics.bootstrap import Replicates, cluster_means
from jointcore.statistics.frame import ModelFrame, require_measure
from jointcore.statistics.pairs import pair_methods
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, JOINTCORE, SINGLETON, STUDY_SEED
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean

#: The pool of all families stands beside the families under this name.
ALL_FAMILIES = "all"
_FAMILY = ["family", "mean", "ci_low", "ci_high", "models", "tasks", "undefined", "empty_cells"]


@dataclass(frozen=True)
class Pool:
    """A pooled mean with its interval, and the same by family.

    ``by_family`` has one row a family: family, mean, ci_low, ci_high, models, tasks, undefined, empty_cells.
    ``models`` are those with a defined value, ``tasks`` all distinct tasks. ``undefined`` counts values left out,
    ``empty_cells`` the (family, model) cells that had none left and so enter no mean.
    """

    mean: float
    ci_low: float
    ci_high: float
    models: tuple[str, ...]
    undefined: int
    empty_cells: int
    by_family: pd.DataFrame


def pooled_measure(
    frame: pd.DataFrame | ModelFrame,
    measure: str,
    method: str,
    *,
    beside: str = "",
    seed: int = STUDY_SEED,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> Pool:
    """Pool of one method's ``measure``.

    Args:
        beside: another method; only tasks where both have a value enter, so that the two pools differ by exactly the
            pool of the differences. Empty: every task with a value enters.

    Raises:
        ValueError: an invalid frame, an unknown measure, a model without the method or without a
            family that another model has.
    """
    require_measure(measure)
    checked = ModelFrame.of(frame)
    parts = []
    for model in checked.models:
        if (model, method) not in checked.cells:
            raise ValueError(f"Method {method!r} has no rows for model {model!r}; run it there or leave the model out.")
        rows = checked.cells[model, method]
        values = rows[measure].to_numpy(dtype=np.float64)
        if beside:
            _, other = pair_methods(checked.cells, model, method, beside).values(measure)
            values = np.where(np.isnan(other.astype(np.float64)), math.nan, values)
        parts.append(_values(rows, model, values))
    return _pool(pd.concat(parts), stable_seed(seed, "pool", measure, method), replicates)


def pooled_difference(
    frame: pd.DataFrame | ModelFrame,
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
    checked = ModelFrame.of(frame)
    parts = []
    for model in checked.models:
        pair = pair_methods(checked.cells, model, first, second)
        a, b = pair.values(measure)
        parts.append(_values(pair.first_rows, model, a.astype(np.float64) - b.astype(np.float64)))
    drawn = stable_seed(seed, "pool", measure, *sorted((first, second)))
    return _pool(pd.concat(parts), drawn, replicates)


def pool_frame(primary: pd.DataFrame | ModelFrame, *, replicates: int = BOOTSTRAP_REPLICATES) -> pd.DataFrame:
    """Pools of every measure: both methods of the registered pair, and their difference, all from the same pairs.

    Columns: ``measure``, ``first`` (a method), ``second`` (a method, or empty where the pool is of ``first`` alone),
    ``family`` (a slug, or ``all``), ``mean``, ``ci_low``, ``ci_high``, ``models``, ``tasks``, ``undefined``,
    ``empty_cells``. A family in which a measure is nowhere defined has no row.

    Raises:
        ValueError: see :func:`pooled_measure` and :func:`pooled_difference`.
    """
    checked = ModelFrame.of(primary)
    rows = []
    for measure in MEASURES:
        for method, other in ((JOINTCORE, SINGLETON), (SINGLETON, JOINTCORE)):
            pool = pooled_measure(checked, measure, method, beside=other, replicates=replicates)
            rows += _rows(pool, measure, method, "")
        rows += _rows(pooled_difference(checked, measure, replicates=replicates), measure, JOINTCORE, SINGLETON)
    return pd.DataFrame(rows, columns=["measure", "first", "second", *_FAMILY])


def _rows(pool: Pool, measure: str, first: str, second: str) -> list[dict[str, object]]:
    whole = {
        "family": ALL_FAMILIES,
        "mean": pool.mean,
        "ci_low": pool.ci_low,
        "ci_high": pool.ci_high,
        "models": len(pool.models),
        "tasks": int(pool.by_family["tasks"].sum()),
        "undefined": pool.undefined,
        "empty_cells": pool.empty_cells,
    }
    shared = {"measure": measure, "first": first, "second": second}
    return [{**shared, **row} for row in (*pool.by_family.to_dict("records"), whole)]


def _values(rows: pd.DataFrame, model: str, values: np.ndarray) -> pd.DataFrame:
    return rows[["family", "paper_task_id"]].assign(model=model, value=values)


def _pool(values: pd.DataFrame, seed: int, replicates: int) -> Pool:
    """Pool of columns family, paper_task_id, model, value; NaN is undefined.

    The families are the benchmark's own, not a sample, so a replicate keeps them all: tasks are drawn within each
    family, and its mean is the mean over families of the families' means.
    """
    models = tuple(values["model"].unique())
    counts = values.groupby(["family", "model"])["value"].count()
    for family in sorted(values["family"].unique()):
        for model in models:
            if (family, model) not in counts.index:
                raise ValueError(
                    f"Model {model!r} has no task of family {family!r}; run every model on the "
                    "same tasks or leave the model out."
                )
    defined = values.dropna(subset="value")
    rows, drawn = [], []
    for family, part in defined.groupby("family", sort=True):
        family_counts = counts[family]
        mean = exact_mean([exact_mean(cell["value"]) for _, cell in part.groupby("model")])
        found = _replicates(part, stable_seed(seed, family), replicates)
        # An interval without width is the mean itself, to the last bit.
        low, high = (mean, mean) if np.ptp(found.means) == 0.0 else found.ends()
        drawn.append(found.means)
        rows.append(
            {
                "family": family,
                "mean": mean,
                "ci_low": low,
                "ci_high": high,
                "models": part["model"].nunique(),
                "tasks": values.loc[values["family"] == family, "paper_task_id"].nunique(),
                "undefined": int((values["family"] == family).sum() - len(part)),
                "empty_cells": int((family_counts == 0).sum()),
            }
        )
    mean = low = high = math.nan
    if rows:
        mean = exact_mean([row["mean"] for row in rows])
        low, high = Replicates(mean, np.mean(drawn, axis=0), len(defined)).ends()
    return Pool(
        mean=mean,
        ci_low=low,
        ci_high=high,
        models=tuple(model for model in models if model in set(defined["model"])),
        undefined=len(values) - len(defined),
        empty_cells=int((counts == 0).sum()),
        by_family=pd.DataFrame(rows, columns=_FAMILY),
    )


def _replicates(part: pd.DataFrame, seed: int, replicates: int) -> Replicates:
    """Replicates of the mean over models of one family; a row weighs 1 over the number of its model's rows."""
    return cluster_means(
        part["value"],
        part["paper_task_id"].to_numpy(dtype=object),
        weights=1.0 / (part.groupby("model")["value"].transform("count") * part["model"].nunique()),
        seed=seed,
        replicates=replicates,
    )


@statistic("pool", 40)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return pool_frame(run.primary, replicates=run.replicates)
