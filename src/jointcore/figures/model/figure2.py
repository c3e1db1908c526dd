"""Queries with 95% intervals, and minimum-cost recovery, per model (paper, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from jointcore.figures.model_figure import Drawn, model_figure
from jointcore.figures.style import PAGE, figure_style, point_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import PAIR_NAMES
from jointcore.statistics.summaries import TABLE2_COLUMNS

THIS_RUN, PUBLISHED = "this run", "published"

_MEASURES = {"intervention_count": "queries", "valid_minimum_set": "minimum"}
_OFFSET = 0.16


def figure2_data(summary: pd.DataFrame, cohort: Cohort, paper: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Means and intervals: a row a source (this run, published), measure, model and method of the registered pair.

    Columns: ``source``, ``measure`` (queries or minimum), ``model``, ``name``, ``method``, ``mean``,
    ``ci_low``, ``ci_high``; published means have no interval.

    Args:
        summary: the statistic ``summary`` of the cohort.
        cohort: the cohort.
        paper: the published figures, to be shown beside this run's; never for a local demonstration, to which they
            do not apply.
    """
    rows = []
    for slug, method in PAIR_NAMES.items():
        own = summary[summary["method"] == slug].set_index(["measure", "model"])
        for measure, short in _MEASURES.items():
            for model, name in cohort.names.items():
                found = own.loc[(measure, model)]
                rows.append((THIS_RUN, short, model, name, method, found["mean"], found["ci_low"], found["ci_high"]))
    if paper is not None and not cohort.local:
        table = paper["table2"]
        for model, name in cohort.names.items():
            printed = dict(zip(table["columns"], table.get(model, ()), strict=False))
            for column, value in printed.items():
                measure, method = TABLE2_COLUMNS[column].measure.key, TABLE2_COLUMNS[column].method
                if measure in _MEASURES:
                    rows.append((PUBLISHED, _MEASURES[measure], model, name, PAIR_NAMES[method], value, None, None))
    columns = ["source", "measure", "model", "name", "method", "mean", "ci_low", "ci_high"]
    return pd.DataFrame(rows, columns=columns)


def draw_figure2(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: models as rows, both methods of the registered pair in each panel."""
    names = list(cohort.names.values())
    with figure_style():
        figure, panels = plt.subplots(1, 2, figsize=(PAGE, 1.5 + 0.45 * len(names)), sharey=True)
        for axes, short, label in zip(
            panels, _MEASURES.values(), ("Queries per task (mean)", "Minimum-cost recovery"), strict=True
        ):
            _panel(axes, data[data["measure"] == short], names)
            axes.set(xlabel=label)
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        panels[0].set_xlim(left=0)
        panels[1].set_xlim(-0.02, 1.02)
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.5, -0.5)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, ncols=2, loc="outside upper center")
        if cohort.local:
            figure.supxlabel("Local demonstration", fontsize=10)
    return figure


def _panel(axes: Axes, data: pd.DataFrame, names: list[str]) -> None:
    for position, (slug, method) in enumerate(PAIR_NAMES.items()):
        offset = _OFFSET * (2 * position - 1)
        own = data[(data["method"] == method) & (data["source"] == THIS_RUN)]
        rows = [names.index(name) + offset for name in own["name"]]
        # Quantiles of replicates can pass the mean by a rounding error.
        whiskers = [(own["mean"] - own["ci_low"]).clip(lower=0), (own["ci_high"] - own["mean"]).clip(lower=0)]
        look = {**point_style(slug), "elinewidth": 1.2}
        axes.errorbar(own["mean"], rows, xerr=whiskers, capsize=3, label=method, **look)
        printed = data[(data["method"] == method) & (data["source"] == PUBLISHED)]
        if len(printed):
            rows = [names.index(name) + 1.9 * offset for name in printed["name"]]
            look = {**point_style(slug), "markerfacecolor": "white"}
            axes.plot(printed["mean"], rows, label=f"{method}, published", **look)


@model_figure(
    title="Figure 2, queries",
    heading="Figure 2: queries and minimum-cost recovery",
    description="Means of JointCore and the singleton by model, with 95% intervals; its data is beside it as CSV.",
    draw=draw_figure2,
    statistics=("summary",),
    published=True,
)
def figure2(given: Drawn) -> pd.DataFrame:
    """Queries and minimum-cost recovery; of the registered cohort, the published means beside them."""
    return figure2_data(given.statistics["summary"], given.cohort, given.paper)
