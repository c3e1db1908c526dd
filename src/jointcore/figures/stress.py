"""What every search asks and keeps under stress, a line a method."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

from jointcore.figures.style import PAGE, figure_style, method_style, series_id

_LABELS = {
    "evaluations": "Evaluations per condition",
    "behavior": "Decision kept",
    "exact_sufficiency": "Exact sufficiency",
    "valid_minimum_set": "Minimum-cost recovery",
    "active_token_savings": "Savings",
}


@dataclass(frozen=True)
class Experiment:
    """How an experiment is drawn.

    Attributes:
        across: label of the horizontal axis.
        measures: a column of panels each.
        grouping: the rows of the means that are drawn, see :func:`jointcore.statistics.stress_means.stress_means`.
        by_noise: a row of panels for each noise level.
    """

    across: str
    measures: tuple[str, ...]
    grouping: str = "all"
    by_noise: bool = False

    @property
    def position(self) -> str:
        """The column that the horizontal axis shows."""
        return "level" if self.grouping == "all" else "group"


EXPERIMENTS = {
    "relevance": Experiment(
        "Noise on relevance (sd)", ("evaluations", "valid_minimum_set", "exact_sufficiency", "active_token_savings")
    ),
    "budgets": Experiment("B", ("evaluations", "valid_minimum_set", "active_token_savings"), by_noise=True),
    "counts": Experiment(
        "Candidate records, n", ("evaluations", "valid_minimum_set", "active_token_savings"), "n", by_noise=True
    ),
    "decisions": Experiment(
        "Error rate of decisions", ("evaluations", "behavior", "exact_sufficiency", "active_token_savings")
    ),
    "decisions_by_family": Experiment("Error rate of decisions", ("exact_sufficiency",), "family"),
}


def stress_data(means: pd.DataFrame, figure: str) -> pd.DataFrame:
    """What a figure shows: a row a method and point, with the columns ``panel_row``, ``position`` and the measures.

    Args:
        means: result of :func:`jointcore.statistics.stress_means.stress_means`.
        figure: key of :data:`EXPERIMENTS`.
    """
    experiment = EXPERIMENTS[figure]
    own = means[means["grouping"] == experiment.grouping]
    by_family = experiment.grouping == "family"
    data = pd.DataFrame(
        {
            "method": own["method"],
            "name": own["name"],
            "panel_row": own["noise"] if experiment.by_noise else own["group"] if by_family else "",
            "position": own["level" if by_family else experiment.position].astype(str),
        }
    )
    return data.assign(**{measure: own[measure] for measure in experiment.measures}).reset_index(drop=True)


def draw_stress(data: pd.DataFrame, figure: str, family_names: dict[str, str]) -> Figure:
    """The figure of :func:`stress_data`.

    Positions are evenly spaced in the order in which they were run; a method's line looks the same in every panel.

    Args:
        data: what it shows.
        figure: key of :data:`EXPERIMENTS`.
        family_names: the families' names by slug.
    """
    experiment = EXPERIMENTS[figure]
    rows = list(dict.fromkeys(data["panel_row"]))
    panels = [(row, measure) for row in rows for measure in experiment.measures]
    columns = 3 if len(experiment.measures) == 1 else 2 if len(panels) == 4 else len(experiment.measures)
    height = -(-len(panels) // columns)
    with figure_style():
        fig, grid = plt.subplots(height, columns, figsize=(PAGE, 2.4 + 2.6 * height), squeeze=False, sharex=True)
        for i, (axes, (row, measure)) in enumerate(zip(grid.flat, panels, strict=False)):
            _draw_panel(axes, data[data["panel_row"] == row], measure, i)
            if experiment.grouping == "family":
                axes.set_title(family_names.get(row, row), loc="left")
            elif i < columns or not experiment.by_noise:
                axes.set_title(_LABELS[measure], loc="left")
            if i % columns == 0 and (experiment.by_noise or experiment.grouping == "family"):
                axes.set_ylabel(_noise(row) if experiment.by_noise else _LABELS[measure])
            if i >= len(panels) - columns:
                axes.set_xlabel(experiment.across)
                axes.xaxis.set_tick_params(labelbottom=True)
        for axes in grid.flat[len(panels) :]:
            axes.remove()
        handles, names = grid.flat[0].get_legend_handles_labels()
        fig.legend(handles, names, loc="outside lower center", ncols=3, handlelength=3.5)
    return fig


def _draw_panel(axes: Axes, data: pd.DataFrame, measure: str, panel: int) -> None:
    positions = list(dict.fromkeys(data["position"]))
    places, shown = _with_gaps(positions)
    for slug, own in data.groupby("method", sort=False):
        values = own.set_index("position")[measure]
        if measure == "evaluations":
            values = values.where(values > 0)  # a method that never evaluates has no place on a logarithmic axis
        heights = [values.get(position, float("nan")) for position in shown]
        look = {**method_style(slug), "gid": series_id(slug, panel)}
        axes.plot(places, heights, label=own["name"].iloc[0], **look)
    axes.set_xticks(range(len(positions)), positions)
    if measure == "evaluations":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(ScalarFormatter())
        axes.yaxis.set_minor_locator(NullLocator())
        largest = max(data[measure].max(), 1)
        axes.set_yticks([t for t in (1, 2, 5, 10, 20, 50, 100, 1000, 10**4, 10**5, 10**6) if t <= 2 * largest])


def _with_gaps(positions: list[str]) -> tuple[list[float], list[str | None]]:
    """Where points go; a line stops before a level that is not a number, as that is not on the same scale."""
    places: list[float] = []
    shown: list[str | None] = []
    for place, position in enumerate(positions):
        if not position.replace(".", "", 1).isdigit():
            places.append(float("nan"))
            shown.append(None)
        places.append(place)
        shown.append(position)
    return places, shown


def _noise(level: str) -> str:
    return {"0": "relevance right", "shuffle": "relevance shuffled"}.get(level, f"noise sd {level}")
