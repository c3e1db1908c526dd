"""All statistics of one cohort, and their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from jointcore.csv_files import read_csv, write_csv
from jointcore.errors import InputError
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.comparisons import descriptive_comparisons
from jointcore.statistics.fallback import FALLBACK_INTERFACE, FALLBACK_STYLES, archive_fallback
from jointcore.statistics.frame import MEASURES
from jointcore.statistics.gates import model_gates
from jointcore.statistics.intervals import interval_means
from jointcore.statistics.pool import Pool, pooled_difference, pooled_measure
from jointcore.statistics.registered_tests import registered_tests
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, JOINTCORE, SINGLETON
from jointcore.statistics.robustness import robustness_cells
from jointcore.statistics.summaries import method_means

#: The pool of all families stands beside the families under this name.
ALL_FAMILIES = "all"
NAMES = (
    "registered_tests",
    "comparisons",
    "gates",
    "pool",
    "fallback",
    "robustness",
    "summary",
    "by_family",
)
"""Names of the statistics of a cohort; each is a file ``results/statistics/{cohort}/{name}.csv``."""

_POOL = ["measure", "first", "second", "family", "mean", "ci_low", "ci_high", "models", "tasks"]
_FALLBACK = [
    "model",
    "tasks",
    *(f"{style}_{method}" for style in FALLBACK_STYLES for method in ("jointcore", "singleton")),
    *(f"{style}_holds" for style in FALLBACK_STYLES),
    "reverts",
    "behavior",
    "savings",
]


def cohort_statistics(
    primary: pd.DataFrame, robustness: pd.DataFrame, cohort: Cohort, *, replicates: int = BOOTSTRAP_REPLICATES
) -> dict[str, pd.DataFrame]:
    """Every statistic of a cohort by its name in :data:`NAMES`.

    Args:
        primary: the model frame (see ``frame``) of exactly this cohort's models.
        robustness: their robustness frame.
        cohort: the cohort.
        replicates: number of bootstrap replicates of every interval.

    Raises:
        InputError: the frames hold other models than the cohort, or cannot be analysed.
    """
    for name, frame in (("primary", primary), ("robustness", robustness)):
        strays = set(frame["model"]).symmetric_difference(cohort.models)
        if strays:
            raise InputError(
                f"the {name} rows and the {cohort.key} cohort differ in model {min(strays)}; run the model stage for "
                "exactly the models that the configuration names"
            )
    try:
        return {
            "registered_tests": registered_tests(primary, cohort.family, replicates=replicates),
            "comparisons": descriptive_comparisons(primary, replicates=replicates),
            "gates": model_gates(primary, replicates=replicates),
            "pool": pool_frame(primary, replicates=replicates),
            "fallback": _fallback(robustness, primary),
            "robustness": robustness_cells(robustness, replicates=replicates),
            "summary": interval_means(primary, replicates=replicates),
            "by_family": method_means(primary, ("family",)),
        }
    except ValueError as error:
        raise InputError(f"{cohort.key} cohort: {str(error).rstrip('.')}") from error


def pool_frame(primary: pd.DataFrame, *, replicates: int = BOOTSTRAP_REPLICATES) -> pd.DataFrame:
    """Family-weighted pools of every measure: both methods of the registered pair, and their difference.

    Columns: ``measure``, ``first`` (a method), ``second`` (a method, or empty where the pool is of ``first`` alone),
    ``family`` (a slug, or ``all``), ``mean``, ``ci_low``, ``ci_high``, ``models``, ``tasks``. A family in
    which a measure is nowhere defined has no row.

    Raises:
        ValueError: see :mod:`jointcore.statistics.pool`.
    """
    rows = []
    for measure in MEASURES:
        for method in (JOINTCORE, SINGLETON):
            rows += _pool_rows(pooled_measure(primary, measure, method, replicates=replicates), measure, method, "")
        rows += _pool_rows(pooled_difference(primary, measure, replicates=replicates), measure, JOINTCORE, SINGLETON)
    return pd.DataFrame(rows, columns=_POOL)


def write_statistics(statistics: Mapping[str, pd.DataFrame], paths: Sequence[str | Path]) -> None:
    """Write each statistic to the path whose stem is its name, as CSV at full precision."""
    for path in map(Path, paths):
        write_csv(path, statistics[path.stem], seal=True)


def read_statistics(paths: Sequence[str | Path]) -> dict[str, pd.DataFrame]:
    """The statistics in some files that :func:`write_statistics` wrote, by name.

    Raises:
        InputError: a file is missing, cut or changed.
    """
    return {path.stem: read_csv(path) for path in map(Path, paths)}


def read_cohort(paths: Sequence[str | Path]) -> tuple[Cohort, dict[str, pd.DataFrame]]:
    """A cohort and its statistics.

    Args:
        paths: the file of the cohort (``cohort.json``), then files of statistics.

    Raises:
        InputError: see :func:`read_statistics` and :meth:`jointcore.statistics.cohort.Cohort.read`.
    """
    return Cohort.read(paths[0]), read_statistics(paths[1:])


def _pool_rows(pool: Pool, measure: str, first: str, second: str) -> list[dict[str, object]]:
    shared = {"measure": measure, "first": first, "second": second}
    tasks = int(pool.by_family["tasks"].sum()) if len(pool.by_family) else 0
    whole = {
        "family": ALL_FAMILIES,
        "mean": pool.mean,
        "ci_low": pool.ci_low,
        "ci_high": pool.ci_high,
        "models": len(pool.models),
        "tasks": tasks,
    }
    return [{**shared, **row} for row in (*pool.by_family.to_dict("records"), whole)]


def _fallback(robustness: pd.DataFrame, primary: pd.DataFrame) -> pd.DataFrame:
    """The archive fallback; without rows if this run does not decide both label styles that it needs."""
    cells = set(zip(robustness["interface"], robustness["label_style"], strict=True))
    if not {(FALLBACK_INTERFACE, style) for style in FALLBACK_STYLES} <= cells:
        return pd.DataFrame(columns=_FALLBACK)
    return archive_fallback(robustness, primary)
