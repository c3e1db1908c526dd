"""Families: differences of recovery and savings, and what each method asks, means over models (paper, Figure 3)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from jointcore.figures.model_families import family_differences, family_means
from jointcore.figures.model_figure import Drawn, model_figure
from jointcore.figures.style import PAGE, figure_style, point_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import PAIR_NAMES
from jointcore.statistics.registration import JOINTCORE

QUERIES = "intervention_count"
_DIFFERENCES = {"valid_minimum_set": "(a) Minimum-cost recovery", "active_token_savings": "(b) Savings"}


def figure3_data(pool: pd.DataFrame) -> pd.DataFrame:
    """What the panels show: differences of two measures, and the queries of both methods.

    Columns: ``measure``, ``method`` (empty: JointCore minus singleton), ``family``, ``name``, ``value``, ``ci_low``,
    ``ci_high``, ``models``, ``tasks``.

    Args:
        pool: the statistic ``pool`` of a cohort.
    """
    differences = family_differences(pool, list(_DIFFERENCES)).rename(columns={"difference": "value"})
    differences.insert(1, "method", "")
    return pd.concat([differences, family_means(pool, QUERIES, list(PAIR_NAMES))], ignore_index=True)


def draw_figure3(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: families as rows, whiskers are 95% intervals over tasks; (a) and (b) share their range."""
    names = list(dict.fromkeys(data["name"]))
    with figure_style():
        figure, panels = plt.subplots(1, 3, figsize=(PAGE, 1.6 + 0.32 * len(names)), sharey=True)
        panels[1].sharex(panels[0])
        for axes, (measure, label) in zip(panels, _DIFFERENCES.items(), strict=False):
            own = data[data["measure"] == measure]
            axes.axvline(0, color="#7F7F7F", linewidth=0.8)
            _points(axes, own, names, 100, 0, point_style(JOINTCORE))
            axes.set_title(label, loc="left")
            axes.set_xlabel("JointCore − singleton, points")
        ends = 100 * data.loc[data["method"] == "", ["ci_low", "ci_high"]]
        # At least a point to each side, so that differences of a rounding error's size are seen to be none.
        panels[0].set_xlim(min(-1.0, 1.08 * ends["ci_low"].min()), max(1.0, 1.08 * ends["ci_high"].max()))
        asked = data[data["measure"] == QUERIES]
        for slug, name in PAIR_NAMES.items():
            own = asked[asked["method"] == slug]
            _points(panels[2], own, names, 1, -0.12 if slug == JOINTCORE else 0.12, point_style(slug), name)
        panels[2].set_title("(c) Queries", loc="left")
        panels[2].set_xlabel("Queries per task (mean)")
        panels[2].set_xlim(left=0)
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.5, -0.5)
        figure.legend(*panels[2].get_legend_handles_labels(), ncols=2, loc="outside upper right")
        models = len(cohort.models)
        figure.supxlabel(cohort.titled(f"Mean over {models} models" if models > 1 else "One model"), fontsize=10)
    return figure


def _points(
    axes: Axes, own: pd.DataFrame, names: list[str], scale: float, shift: float, look: dict, label: str = ""
) -> None:
    values = scale * own["value"]
    # Quantiles of replicates can pass the mean by a rounding error.
    whiskers = [(values - scale * own["ci_low"]).clip(lower=0), (scale * own["ci_high"] - values).clip(lower=0)]
    rows = [names.index(name) + shift for name in own["name"]]
    thin = {**look, "elinewidth": 1.2, "markersize": 6}
    axes.errorbar(values, rows, xerr=whiskers, capsize=3, label=label, **thin)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")


@model_figure(
    title="Figure 3, families",
    heading="Figure 3: families",
    description="Differences of recovery and savings, and queries, by interaction family; its data is a CSV beside it.",
    draw=draw_figure3,
    statistics=("pool",),
)
def figure3(given: Drawn) -> pd.DataFrame:
    """Differences and queries by family."""
    return figure3_data(given.statistics["pool"])
