"""What a search costs against what it finds, every method: the published ones and those that this project adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.style import HIGHLIGHTED, PAGE, figure_style, point_style, series_id

_TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def cost_quality_data(metrics: Mapping[str, Any]) -> pd.DataFrame:
    """A row a method: ``slug``, ``method``, ``study``, ``evaluations``, ``minimum`` and ``savings``.

    Args:
        metrics: content of ``results/exact/metrics.json``.
    """
    overall = metrics["metrics"]["overall"]
    rows = [
        {
            "slug": method["slug"],
            "method": method["name"],
            "study": method["study"],
            "evaluations": overall[method["slug"]]["intervention_count"],
            "minimum": overall[method["slug"]]["valid_minimum_set"],
            "savings": overall[method["slug"]]["active_token_savings"],
        }
        for method in metrics["methods"]
    ]
    return pd.DataFrame(rows)


def draw_cost_quality(data: pd.DataFrame) -> Figure:
    """The figure: a panel of published methods and one of added ones, on the same axes; up and left is better."""
    panels = [(True, "Published methods"), (False, "Added by this project")]
    panels = [(study, title) for study, title in panels if (data["study"] == study).any()]
    with figure_style():
        figure, grid = plt.subplots(1, len(panels), figsize=(PAGE, 4.0), sharex=True, sharey=True, squeeze=False)
        for axes, (study, title) in zip(grid.flat, panels, strict=True):
            own = data[data["study"] == study]
            for row in data.itertuples():
                if row.study == study or row.slug == "jointcore_cost_ordered":
                    look = {**point_style(row.slug), "markersize": 11 if row.slug in HIGHLIGHTED else 8}
                    axes.plot(
                        row.evaluations, row.minimum, label=row.method, gid=series_id(row.slug, int(study)), **look
                    )
            axes.set_title(title, loc="left")
            axes.set_xscale("symlog", linthresh=1)
            axes.grid(visible=True, axis="both")
            ticks = [tick for tick in _TICKS if tick <= 1.5 * max(data["evaluations"].max(), 1)]
            axes.set_xticks(ticks, [str(tick) for tick in ticks])
            axes.minorticks_off()
            axes.set_xlim(-0.3, 1.6 * max(ticks[-1], data["evaluations"].max()))
            axes.set_ylim(-0.04, 1.06)
            axes.set_xlabel("Evaluations per condition (mean)")
            columns = 2 if len(own) > 6 else 1
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=columns)
        grid[0, 0].set_ylabel("Minimum-cost recovery")
    return figure
