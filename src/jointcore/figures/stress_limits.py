"""Every search's evaluations beside the fewest possible."""

from __future__ import annotations

from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

from jointcore.figures.style import PAGE, figure_style

_LIMITS = {
    "certificate": ("Certificate of a minimal set", "-"),
    "optimal": ("Optimal strategy, certified", "--"),
    "optimal_uncertified": ("Optimal strategy, uncertified", ":"),
}


def limits_data(means: pd.DataFrame, limits: pd.DataFrame) -> pd.DataFrame:
    """A row a method and group (all conditions, or a family) with its evaluations and the limits.

    Args:
        means: means of the experiment on relevance; those without noise are shown, of methods that evaluate.
        limits: mean limits, see :func:`jointcore.statistics.stress_means.limit_means`.
    """
    own = means[(means["noise"] == "0") & means["grouping"].isin(["all", "family"])]
    asks = own.loc[own["evaluations"] > 0, "method"].unique()
    shown = own[own["method"].isin(asks)]
    columns = ["method", "name", "group", "evaluations", "valid_minimum_set"]
    return shown[columns].merge(limits.drop(columns="conditions"), on="group", how="left", validate="many_to_one")


def draw_limits(data: pd.DataFrame, family_names: dict[str, str]) -> Figure:
    """The figure: a panel a group, methods as rows; filled where the method always finds a minimum-cost set.

    Args:
        data: result of :func:`limits_data`.
        family_names: the families' names by slug.
    """
    groups = list(dict.fromkeys(data["group"]))
    names = list(dict.fromkeys(data["name"]))
    columns = min(5, len(groups))
    height = -(-len(groups) // columns)
    with figure_style():
        fig, grid = plt.subplots(
            height,
            columns,
            figsize=(PAGE, 1.4 + height * (0.8 + 0.24 * len(names))),
            squeeze=False,
            sharex=True,
            sharey=True,
        )
        for axes, group in zip(grid.flat, groups, strict=False):
            own = data[data["group"] == group]
            for limit, (label, dashes) in _LIMITS.items():
                if own[limit].notna().all():
                    axes.axvline(own[limit].iloc[0], color="#000000", linestyle=dashes, linewidth=1, label=label)
            for complete, face in ((True, "#0072B2"), (False, "white")):
                points = own[(own["valid_minimum_set"] == 1) == complete]
                rows = [names.index(name) for name in points["name"]]
                label = "Method, always a minimum-cost set" if complete else "Method, not always"
                axes.plot(
                    points["evaluations"], rows, "o", color="#0072B2", markerfacecolor=face, markersize=4, label=label
                )
            title = "All conditions" if group == "all" else family_names.get(group, group)
            axes.set_title(fill(title, 16), loc="left")
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(ScalarFormatter())
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticks([1, 10, 100, 1000] if data["evaluations"].max() > 100 else [1, 3, 10, 30, 100])
        for axes in grid[-1]:
            axes.set_xlabel("Evaluations (mean)")
        for axes in grid.flat[len(groups) :]:
            axes.remove()
        grid[0, 0].set_yticks(range(len(names)), names)
        grid[0, 0].set_ylim(len(names) - 0.5, -0.5)
        fig.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, handlelength=3)
    return fig
