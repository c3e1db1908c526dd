"""What the paper prints for its four models, drawn, whether or not they were run (paper, Tables 2 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.style import PAGE, figure_style, point_style
from jointcore.statistics.names import PAIR_NAMES
from jointcore.statistics.registration import JOINTCORE, SINGLETON, STUDY_MODELS

_METHODS = {"jointcore": JOINTCORE, "singleton": SINGLETON}
_PANELS = {
    "minimum": "Minimum-cost recovery",
    "exact": "Exact sufficiency",
    "savings": "Savings",
    "queries": "Queries per task",
}


def published_data(paper: Mapping[str, Any]) -> pd.DataFrame:
    """The printed means of Table 2: a row a measure, model and method.

    Args:
        paper: the printed figures.
    """
    table = paper["table2"]
    rows = [
        (short, model, entry.name, slug, dict(zip(table["columns"], table[model], strict=True))[f"{short}_{method}"])
        for short in _PANELS
        for model, entry in STUDY_MODELS.items()
        for method, slug in _METHODS.items()
    ]
    return pd.DataFrame(rows, columns=["measure", "model", "name", "method", "mean"])


def draw_published(data: pd.DataFrame) -> Figure:
    """The figure: models as rows, a panel a measure, hollow marks as in Figure 2."""
    names = list(dict.fromkeys(data["name"]))
    with figure_style():
        figure, panels = plt.subplots(1, len(_PANELS), figsize=(PAGE, 1.3 + 0.36 * len(names)), sharey=True)
        for axes, (short, label) in zip(panels, _PANELS.items(), strict=True):
            for method, offset in ((SINGLETON, 0.14), (JOINTCORE, -0.14)):
                own = data[(data["measure"] == short) & (data["method"] == method)]
                rows = [names.index(name) + offset for name in own["name"]]
                look = {**point_style(method), "markerfacecolor": "white"}
                axes.plot(own["mean"], rows, label=f"{PAIR_NAMES[method]}, published", **look)
            axes.set_title(label, loc="left")
            axes.set_xlim((0, 18) if short == "queries" else (0, 1))
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.5, -0.5)
        figure.legend(*panels[0].get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return figure
