"""Finds the figures of the model stage: every module of :mod:`jointcore.figures.model` holds one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from jointcore.catalogue import Catalogue
from jointcore.evaluation.model_storage import PRIMARY_ROWS
from jointcore.figures import model as package
from jointcore.files import read_json
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.cohort_statistics import read_statistics
from jointcore.statistics.model_frames import read_frame


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a figure is drawn from.

    Attributes:
        cohort: the cohort.
        statistics: the statistics that the figure names, by name.
        primary: the primary rows, with the columns that the figure names; ``None`` if it names none.
        paper: the published figures, where they apply to this run and the figure shows them.
    """

    cohort: Cohort
    statistics: Mapping[str, pd.DataFrame]
    primary: pd.DataFrame | None = None
    paper: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ModelFigure:
    """A figure of a cohort.

    Attributes:
        name: its file is ``results/figures/{cohort}/{name}.svg``; its caption ``workflow/report/{name}.rst``.
        title: its title in the report.
        heading: what it is, for a screen reader.
        description: what it shows, for a screen reader.
        statistics: names of the statistics that it needs.
        primary: columns of the primary rows that it needs.
        published: whether it shows the published figures where they apply.
        data: makes its data, the CSV beside it.
        draw: draws the data of a cohort.
    """

    name: str
    title: str
    heading: str
    description: str
    statistics: tuple[str, ...]
    primary: tuple[str, ...]
    published: bool
    data: Callable[[Drawn], pd.DataFrame]
    draw: Callable[[pd.DataFrame, Cohort], Figure]


def model_figure(
    *,
    title: str,
    heading: str,
    description: str,
    draw: Callable[[pd.DataFrame, Cohort], Figure],
    statistics: tuple[str, ...] = (),
    primary: tuple[str, ...] = (),
    published: bool = False,
) -> Callable[[Callable[[Drawn], pd.DataFrame]], ModelFigure]:
    """Make the decorated function, which makes its data, a figure of every cohort; see :class:`ModelFigure`."""
    return lambda data: ModelFigure(
        data.__name__, title, heading, description, statistics, primary, published, data, draw
    )


_FIGURES = Catalogue(package, ModelFigure, "model_figure")
module_name = _FIGURES.module_name
load_figure = _FIGURES.load


def all_figures() -> list[ModelFigure]:
    """Every figure of the model stage, by name."""
    return [load_figure(name) for name in _FIGURES.names()]


def read_drawn(
    figure: ModelFigure,
    cohort: str | Path,
    statistics: Sequence[str | Path],
    primary: Sequence[str | Path],
    paper: Sequence[str | Path],
) -> Drawn:
    """What a figure is drawn from, out of files.

    Args:
        figure: the figure.
        cohort: the file of the cohort, ``cohort.json``.
        statistics: files of the statistics that the figure names.
        primary: files of the primary rows; not read if the figure names no column.
        paper: the file of the published figures, or none.

    Raises:
        InputError: a file is missing, cut, changed, or holds something else.
    """
    return Drawn(
        Cohort.read(cohort),
        read_statistics(statistics),
        read_frame(primary, PRIMARY_ROWS, figure.primary) if figure.primary else None,
        read_json(paper[0]) if paper else None,
    )
