"""All statistics of one cohort, and their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from jointcore.csv_files import read_csv, write_csv
from jointcore.errors import InputError
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES
from jointcore.statistics.statistic import CohortRun, all_statistics

NAMES = tuple(found.name for found in all_statistics())
"""Names of the statistics of a cohort; each is a file ``results/statistics/{cohort}/{name}.csv``."""


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
        run = CohortRun(ModelFrame.of(primary, cohort.methods), robustness, cohort, replicates)
        return {found.name: found.compute(run) for found in all_statistics()}
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
