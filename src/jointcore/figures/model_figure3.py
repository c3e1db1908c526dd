"""Differences by family, JointCore minus singleton, mean over models, in three panels (paper, Figure 3)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.model_families import family_differences
from jointcore.figures.style import PAGE, figure_style, marker_style
from jointcore.statistics.cohort import Cohort

_PANELS = {
    "valid_minimum_set": "Minimum-cost recovery",
    "active_token_savings": "Savings",
    "exact_sufficiency": "Exact sufficiency",
}


def figure3_data(pool: pd.DataFrame) -> pd.DataFrame:
    """The three measures of the figure, see :func:`jointcore.figures.model_families.family_differences`."""
    return family_differences(pool, list(_PANELS))


def draw_figure3(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: families as rows, percentage points, whiskers are 95% intervals over tasks."""
    names = list(dict.fromkeys(data["name"]))
    with figure_style():
        figure, panels = plt.subplots(1, len(_PANELS), figsize=(PAGE, 1.1 + 0.24 * len(names)), sharey=True)
        for axes, (measure, label) in zip(panels, _PANELS.items(), strict=True):
            own = data[data["measure"] == measure]
            points = 100 * own["difference"]
            whiskers = [(points - 100 * own["ci_low"]).clip(lower=0), (100 * own["ci_high"] - points).clip(lower=0)]
            rows = [names.index(name) for name in own["name"]]
            axes.axvline(0, color="#7F7F7F", linewidth=0.8)
            axes.errorbar(points, rows, xerr=whiskers, capsize=2, **marker_style(0))
            axes.set_title(label, loc="left")
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.5, -0.5)
        models = len(cohort.models)
        over = f"mean over {models} models" if models > 1 else "one model"
        figure.supxlabel(cohort.titled(f"JointCore − singleton, percentage points, {over}"), fontsize=8)
    return figure
