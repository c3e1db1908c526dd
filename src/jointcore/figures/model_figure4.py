"""Trajectory success by robustness cell, a heat table of both methods and of differences (paper, Figure 4)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from jointcore.figures.style import PAGE, figure_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES
from jointcore.statistics.robustness import published_columns

_METHODS = {"jointcore": "JointCore", "singleton": "singleton"}


def figure4_data(robustness: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    """The seven published columns: a row a model and column.

    Columns: ``model``, ``name``, ``column``, ``column_name``, ``jointcore``, ``singleton`` (trajectory success),
    ``difference``. A cell that was not run has no row.

    Args:
        robustness: the statistic ``robustness`` of the cohort.
        cohort: the cohort.
    """
    data = published_columns(robustness)
    data.insert(1, "name", [cohort.names[model] for model in data["model"]])
    data.insert(3, "column_name", data["column"].map(CELL_NAMES))
    return data


def draw_figure4(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: above, success of JointCore over that of the singleton; below, the differences."""
    names, columns = list(cohort.names.values()), list(CELL_NAMES.values())
    with figure_style():
        height = 1.2 + 0.75 * len(names)
        figure, (success, difference) = plt.subplots(
            2, 1, figsize=(PAGE, height), sharex=True, height_ratios=(2 * len(names) + 1, len(names) + 1)
        )
        rows = [(name, key) for name in names for key in _METHODS]
        _heat(
            success,
            np.array([[_value(data, name, column, key) for column in columns] for name, key in rows]),
            [f"{name}, {_METHODS[key]}" for name, key in rows],
            {"cmap": "Blues", "vmin": 0, "vmax": 1.4},
            "{:.3f}",
        )
        for edge in range(2, len(rows), 2):
            success.axhline(edge - 0.5, color="black", linewidth=0.8)
        success.set_title(cohort.titled("Trajectory success"), loc="left")
        differences = np.array([[_value(data, name, column, "difference") for column in columns] for name in names])
        reach = max(0.01, float(np.nanmax(np.abs(differences), initial=0.0)))
        _heat(difference, differences, names, {"cmap": "PuOr", "norm": TwoSlopeNorm(0, -reach, reach)}, "{:+.3f}")
        difference.set_title("Difference, JointCore − singleton", loc="left")
        difference.set_xticks(range(len(columns)), columns)
        success.tick_params(labelbottom=False)
    return figure


def _value(data: pd.DataFrame, name: str, column: str, key: str) -> float:
    found = data[(data["name"] == name) & (data["column_name"] == column)]
    return float(found[key].iloc[0]) if len(found) else np.nan


def _heat(axes: Axes, values: np.ndarray, labels: list[str], look: dict, form: str) -> None:
    """A table of coloured cells with their numbers, so that nothing hangs on the colour."""
    shades = axes.pcolormesh(
        np.arange(values.shape[1] + 1) - 0.5,
        np.arange(values.shape[0] + 1) - 0.5,
        np.ma.masked_invalid(values),
        edgecolors="white",
        linewidth=0.5,
        **look,
    )
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            axes.text(column, row, "not run", ha="center", va="center", fontsize=6, color="#555555")
            continue
        red, green, blue, _ = shades.cmap(shades.norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        text = form.format(value).replace("-", "−")
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color="white" if dark else "black")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
