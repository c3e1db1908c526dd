"""Queries that JointCore saves against the singleton, by family, per model and over all of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.model_families import family_differences
from jointcore.figures.model_figure import Drawn, model_figure
from jointcore.figures.style import PAGE, figure_style, marker_style
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.registration import JOINTCORE, SINGLETON

_MEASURE = "intervention_count"
OVER_MODELS = "Mean over models"


def queries_saved_data(by_family: pd.DataFrame, pool: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    """Queries saved: a row a model and family, then the mean over models, with its interval, by family and over all.

    Columns: ``model`` (empty for the mean), ``name``, ``family``, ``family_name``, ``jointcore``, ``singleton``
    (mean queries per task; of single models only), ``saved``, ``ci_low``, ``ci_high`` (of the mean only).

    Args:
        by_family: the statistic ``by_family`` of the cohort.
        pool: its statistic ``pool``.
        cohort: the cohort.
    """
    pooled = family_differences(pool, [_MEASURE])
    queries = by_family[by_family["measure"] == _MEASURE].set_index(["model", "method", "family"])["mean"]
    rows = []
    for model, name in cohort.names.items():
        for family, family_name in zip(pooled["family"], pooled["name"], strict=True):
            if (model, JOINTCORE, family) not in queries.index:
                continue
            jointcore, singleton = queries[model, JOINTCORE, family], queries[model, SINGLETON, family]
            rows.append((model, name, family, family_name, jointcore, singleton, singleton - jointcore, None, None))
    for row in pooled.itertuples():
        saved = (-row.difference, -row.ci_high, -row.ci_low)
        rows.append(("", OVER_MODELS, row.family, row.name, None, None, *saved))
    columns = ["model", "name", "family", "family_name", "jointcore", "singleton", "saved", "ci_low", "ci_high"]
    return pd.DataFrame(rows, columns=columns)


def draw_queries_saved(data: pd.DataFrame, cohort: Cohort) -> Figure:
    """The figure: families as rows, a mark a model, and the mean over models with its 95% interval."""
    families = list(data.loc[data["model"] == "", "family_name"])
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 1.0 + 0.26 * len(families)))
        mean = data[data["model"] == ""]
        whiskers = [
            (mean["saved"] - mean["ci_low"]).astype(float).clip(lower=0),
            (mean["ci_high"] - mean["saved"]).astype(float).clip(lower=0),
        ]
        rows = [families.index(family) for family in mean["family_name"]]
        axes.axvline(0, color="#7F7F7F", linewidth=0.8)
        axes.errorbar(
            mean["saved"], rows, xerr=whiskers, capsize=3, label=OVER_MODELS, **{**marker_style(0), "markersize": 6}
        )
        for position, (model, name) in enumerate(cohort.names.items(), 1):
            own = data[data["model"] == model]
            rows = [families.index(family) + 0.24 for family in own["family_name"]]
            axes.plot(own["saved"], rows, label=name, **marker_style(position))
        axes.set_yticks(range(len(families)), families)
        axes.set_ylim(len(families) - 0.4, -0.6)
        axes.grid(visible=True, axis="x")
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(cohort.titled("Queries saved per task, singleton − JointCore"))
        figure.legend(loc="outside right upper")
    return figure


@model_figure(
    title="Queries saved by family",
    heading="Queries saved by family",
    description="Queries that JointCore asks fewer than the singleton; the data is beside it as CSV.",
    draw=draw_queries_saved,
    statistics=("by_family", "pool"),
)
def queries_saved(given: Drawn) -> pd.DataFrame:
    """Queries saved by family."""
    return queries_saved_data(given.statistics["by_family"], given.statistics["pool"], given.cohort)
