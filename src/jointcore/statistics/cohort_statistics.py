"""All statistics of one cohort, and their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from jointcore.csv_files import read_csv, write_csv
from jointcore.errors import InputError
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.comparisons import descriptive_comparisons
from jointcore.statistics.control import savings_by_control
from jointcore.statistics.fallback import FALLBACK_INTERFACE, FALLBACK_STYLES, archive_fallback
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.gates import model_gates
from jointcore.statistics.intervals import interval_means
from jointcore.statistics.pool import pool_frame
from jointcore.statistics.registered_tests import registered_tests
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES
from jointcore.statistics.robustness import robustness_cells
from jointcore.statistics.summaries import method_means

NAMES = (
    "registered_tests",
    "comparisons",
    "gates",
    "pool",
    "fallback",
    "robustness",
    "summary",
    "by_family",
    "savings_by_control",
)
"""Names of the statistics of a cohort; each is a file ``results/statistics/{cohort}/{name}.csv``."""

_FALLBACK = [
    "model",
    "robustness_tasks",
    *(f"{style}_{method}" for style in FALLBACK_STYLES for method in ("jointcore", "singleton")),
    *(f"{style}_holds" for style in FALLBACK_STYLES),
    "reverts",
    "primary_tasks",
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
        checked = ModelFrame.of(primary, cohort.methods)
        return {
            "registered_tests": registered_tests(checked, cohort.family, replicates=replicates),
            "comparisons": descriptive_comparisons(checked, replicates=replicates),
            "gates": model_gates(checked, replicates=replicates),
            "pool": pool_frame(checked, replicates=replicates),
            "fallback": _fallback(robustness, checked),
            "robustness": robustness_cells(robustness, replicates=replicates),
            "summary": interval_means(checked, replicates=replicates),
            "by_family": method_means(checked, ("family",)),
            "savings_by_control": savings_by_control(checked),
        }
    except ValueError as error:
        raise InputError(f"{cohort.key} cohort: {str(error).rstrip('.')}") from error


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


def _fallback(robustness: pd.DataFrame, primary: ModelFrame) -> pd.DataFrame:
    """The archive fallback; without rows if this run does not decide both label styles that it needs."""
    cells = set(zip(robustness["interface"], robustness["label_style"], strict=True))
    if not {(FALLBACK_INTERFACE, style) for style in FALLBACK_STYLES} <= cells:
        return pd.DataFrame(columns=_FALLBACK)
    return archive_fallback(robustness, primary)
