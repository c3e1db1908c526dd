"""Trajectory success by robustness cell, JointCore / singleton in percent, as a heat map (paper, Figure 4)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.model_figure import Drawn, model_figure
from jointcore.figures.style import PAGE, figure_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES
from jointcore.statistics.robustness import PUBLISHED_CELLS, published_columns

#: Difference at which the colours end, in percentage points; the same in every run, so that runs can be compared.
REACH = 10


def figure4_data(robustness: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    """The seven published columns: a row a model and column.

    Columns: ``model``, ``name``, ``column``, ``column_name``, ``jointcore``, ``singleton`` (trajectory success),
    ``difference``, ``ci_low``, ``ci_high`` (of the difference). A cell that was not run has no row.

    Args:
        robustness: the statistic ``robustness`` of the cohort.
        cohort: the cohort.
    """
    data = published_columns(robustness)
    data.insert(1, "name", [cohort.names[model] for model in data["model"]])
    data.insert(3, "column_name", data["column"].map(CELL_NAMES))
    ends = robustness.set_index(["model", "interface", "label_style"])[["ci_low", "ci_high"]]
    keys = [(row.model, *PUBLISHED_CELLS[row.column]) for row in data.itertuples()]
    return data.assign(**{end: [float(ends.loc[key, end]) for key in keys] for end in ends.columns})


def draw_figure4(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: models as rows; a cell holds both successes and the difference's interval, its colour the difference.

    Nothing hangs on the colour alone.
    """
    names, columns = list(cohort.names.values()), list(CELL_NAMES.values())
    cells = {(row.name, row.column_name): row for row in data.itertuples()}
    values = np.full((len(names), len(columns)), np.nan)
    for (name, column), row in cells.items():
        values[names.index(name), columns.index(column)] = 100 * row.difference
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 1.9 + 0.8 * len(names)))
        edges = [np.arange(count + 1) - 0.5 for count in (len(columns), len(names))]
        look = {"cmap": "PuOr", "vmin": -REACH, "vmax": REACH, "edgecolors": "white", "linewidth": 1}
        shades = axes.pcolormesh(*edges, np.ma.masked_invalid(values), **look)
        for (row, column), value in np.ndenumerate(values):
            cell = cells.get((names[row], columns[column]))
            if cell is None:
                axes.text(column, row, "not run", ha="center", va="center", color="#555555")
                continue
            red, green, blue, _ = shades.cmap(shades.norm(value))
            colour = "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"
            both = f"{100 * cell.jointcore:.1f} / {100 * cell.singleton:.1f}"
            ends = f"{100 * cell.ci_low:+.1f} … {100 * cell.ci_high:+.1f}".replace("-", "−")
            axes.text(column, row, f"{both}\n{ends}", ha="center", va="center", color=colour)
        axes.set_xticks(range(len(columns)), [column.replace(" ", "\n", 1) for column in columns])
        axes.set_yticks(range(len(names)), [name.replace(" (", "\n(", 1) for name in names])
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.tick_params(length=0)
        axes.grid(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_title(cohort.titled("Trajectory success, JC / singleton (%)"), loc="left")
        key = figure.colorbar(shades, ax=axes, extend="both", orientation="horizontal", aspect=50, shrink=0.6)
        key.set_label("Colour: JointCore − singleton, percentage points; beneath the pair, its 95% interval")
        key.outline.set_visible(False)
    return figure


@model_figure(
    title="Figure 4, robustness",
    heading="Figure 4: robustness",
    description="Trajectory success of both methods in every cell; the data is beside it as CSV.",
    draw=draw_figure4,
    statistics=("robustness",),
)
def figure4(given: Drawn) -> pd.DataFrame:
    """Trajectory success by robustness cell."""
    return figure4_data(given.statistics["robustness"], given.cohort)
