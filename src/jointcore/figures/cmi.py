"""CMI's methods: score against adoption of harmful memories, with intervals."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.style import PAGE, figure_style, marker_style
from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.cmi.records import METHODS, Records
from jointcore.statistics.pairs import comparison_seed
from jointcore.statistics.registration import STUDY_SEED

_DRAWN = ("final", "adoption")


def cmi_data(records: Records) -> pd.DataFrame:
    """A row a method and measure (``final``, ``adoption``): ``mean`` and its 95% interval over questions."""
    rows = []
    for method, name in METHODS.items():
        part = records.scores[records.scores["method"] == method]
        for measure in _DRAWN:
            interval = cluster_bootstrap(
                part[measure], seed=comparison_seed(STUDY_SEED, "interval", "cmi", measure, (method,))
            )
            rows.append(
                {
                    "method": method,
                    "name": name,
                    "measure": measure,
                    "mean": interval.mean,
                    "ci_low": interval.low,
                    "ci_high": interval.high,
                }
            )
    return pd.DataFrame(rows)


def draw_cmi(data: pd.DataFrame) -> Figure:
    """Score upward, adoption to the right: the best place is top left."""
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 0.55 * PAGE))
        for position, (name, part) in enumerate(data.groupby("name", sort=False)):
            rows = part.set_index("measure")
            (x, y), marks = (rows.loc["adoption"], rows.loc["final"]), marker_style(position)
            axes.errorbar(
                x["mean"],
                y["mean"],
                xerr=[[x["mean"] - x["ci_low"]], [x["ci_high"] - x["mean"]]],
                yerr=[[y["mean"] - y["ci_low"]], [y["ci_high"] - y["mean"]]],
                label=name,
                elinewidth=0.8,
                **marks,
            )
        axes.set(xlabel="Adoption of harmful memories", ylabel="Score", xlim=(-0.03, 0.8), ylim=(0.3, 1.0))
        figure.legend(loc="outside right upper")
    return figure
