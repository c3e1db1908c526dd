"""Margins of decisions by family and model: how near the other decision was."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from jointcore.figures.model_figure import Drawn, model_figure
from jointcore.figures.style import PAGE, figure_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.registration import JOINTCORE
from jointcore.tasks.families import FAMILIES

#: Decision to the column with its margin in JointCore's primary rows.
_DECISIONS = {"full memory": "reference_margin", "JointCore's set": "final_margin"}
#: Columns of the primary rows that the data needs.
MARGIN_COLUMNS = ("model", "method", "family", "task_index", *_DECISIONS.values())
_QUANTILES = {"low": 0.05, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "high": 0.95}
_FACES = {"full memory": "#FFFFFF", "JointCore's set": "#7F7F7F"}


def margins_data(primary: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    """Quantiles of the absolute margin: a row a model, family and decision (full memory, JointCore's set).

    Columns: ``model``, ``name``, ``family``, ``family_name``, ``decision``, ``tasks``, ``undefined`` (invalid
    decisions, which have no margin), ``least``, ``low`` (5%), ``quarter``, ``median``, ``three_quarters``,
    ``high`` (95%), ``most``; in the decider's unit (nats for a language model).

    Args:
        primary: primary rows with :data:`MARGIN_COLUMNS`.
        cohort: the cohort.
    """
    own = primary[primary["method"] == JOINTCORE]
    groups = dict(list(own.groupby(["model", "family"])))
    rows = []
    for model, name in cohort.names.items():
        for family, schema in FAMILIES.items():
            part = groups.get((model, family))
            if part is None:
                continue
            for decision, column in _DECISIONS.items():
                margins = part[column].dropna().abs().to_numpy(dtype=float)
                ends = {"least": 0.0, **_QUANTILES, "most": 1.0}
                found = np.quantile(margins, list(ends.values())) if margins.size else [math.nan] * len(ends)
                rows.append(
                    {
                        "model": model,
                        "name": name,
                        "family": family,
                        "family_name": schema.name,
                        "decision": decision,
                        "tasks": len(part),
                        "undefined": len(part) - margins.size,
                        **dict(zip(ends, found, strict=True)),
                    }
                )
    return pd.DataFrame(rows)


def draw_margins(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: a panel a model, families as rows, boxes from quarter to three quarters, whiskers from 5% to 95%."""
    names, families = list(cohort.names.values()), list(dict.fromkeys(data["family_name"]))
    across = min(2, len(names))
    down = -(-len(names) // across)
    with figure_style():
        figure, panels = plt.subplots(
            down,
            across,
            figsize=(PAGE, 0.9 + down * (0.6 + 0.36 * len(families))),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for axes, name in zip(panels.flat, names, strict=False):
            for position, (decision, face) in enumerate(_FACES.items()):
                own = data[(data["name"] == name) & (data["decision"] == decision)].dropna(subset=["median"])
                boxes = [
                    {"med": r.median, "q1": r.quarter, "q3": r.three_quarters, "whislo": r.low, "whishi": r.high}
                    for r in own.itertuples()
                ]
                if boxes:
                    axes.bxp(
                        boxes,
                        positions=[families.index(family) + 0.19 * (2 * position - 1) for family in own["family_name"]],
                        widths=0.32,
                        orientation="horizontal",
                        showfliers=False,
                        patch_artist=True,
                        manage_ticks=False,
                        boxprops={"facecolor": face, "linewidth": 0.7},
                        medianprops={"color": "#D55E00", "linewidth": 1.4},
                        whiskerprops={"linewidth": 0.7},
                        capprops={"linewidth": 0.7},
                    )
            axes.set_title(name, loc="left")
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        for axes in list(panels.flat)[len(names) :]:
            axes.set_visible(False)
        panels[0, 0].set_yticks(range(len(families)), families)
        panels[0, 0].set_ylim(len(families) - 0.5, -0.5)
        panels[0, 0].set_xlim(left=0)
        label = "|margin| between the two labels, nats (mean log-probability per token)"
        figure.supxlabel(cohort.titled(label), fontsize=10)
        handles = [Patch(facecolor=face, edgecolor="black", label=name) for name, face in _FACES.items()]
        figure.legend(handles=handles, ncols=2, loc="outside upper right")
    return figure


@model_figure(
    title="Margins of decisions",
    heading="Margins of decisions",
    description="Quantiles of the margin by family and model; the data is beside it as CSV.",
    draw=draw_margins,
    primary=MARGIN_COLUMNS,
)
def margins(given: Drawn) -> pd.DataFrame:
    """Margins by family and model."""
    return margins_data(given.primary, given.cohort)
