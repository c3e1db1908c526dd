"""The statistics of a cohort: found by the decorator :func:`statistic` in any module of this package."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from jointcore.statistics.cohort import Cohort
from jointcore.statistics.frame import ModelFrame


@dataclass(frozen=True, slots=True)
class CohortRun:
    """What the statistics of a cohort are computed from.

    Attributes:
        primary: the checked model frame of exactly the cohort's models.
        robustness: their robustness frame.
        cohort: the cohort.
        replicates: number of bootstrap replicates of every interval.
    """

    primary: ModelFrame
    robustness: pd.DataFrame
    cohort: Cohort
    replicates: int


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic.

    Attributes:
        name: its file is ``results/statistics/{cohort}/{name}.csv``.
        position: its place among the statistics.
        compute: makes it.
    """

    name: str
    position: int
    compute: Callable[[CohortRun], pd.DataFrame]


def statistic(name: str, position: int) -> Callable[[Callable[[CohortRun], pd.DataFrame]], Statistic]:
    """Make the decorated function a statistic of every cohort."""
    return lambda compute: Statistic(name, position, compute)


def statistic_modules() -> list[str]:
    """Dotted names of the modules that hold a statistic, for the code that a job depends on."""
    return sorted({found.compute.__module__ for found in all_statistics()})


@cache
def all_statistics() -> tuple[Statistic, ...]:
    """Every statistic, by position and name."""
    package = __name__.rpartition(".")[0]
    modules = [f"{package}.{found.name}" for found in pkgutil.iter_modules([str(Path(__file__).parent)])]
    holders = [importlib.import_module(name) for name in modules if name != f"{package}.cohort_statistics"]
    # A statistic that another module imports is the same object.
    found = {value for holder in holders for value in vars(holder).values() if isinstance(value, Statistic)}
    return tuple(sorted(found, key=lambda one: (one.position, one.name)))
