"""Calls against what is saved of a user's own memories, every method a point."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.figures.style import PAGE, figure_style, marker_style


def draw_own_data(means: pd.DataFrame) -> Figure:
    """The figure.

    Args:
        means: a row a method with ``method``, ``calls``, ``saved`` and ``preserved``.
    """
    with figure_style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(PAGE, 2.8), sharex=True)
        for position, row in enumerate(means.itertuples()):
            style = marker_style(position)
            left.plot(row.calls, row.saved, label=row.method, **style)
            right.plot(row.calls, row.preserved, **style)
        for axes, label in ((left, "Cost saved (share)"), (right, "Decision preserved (share)")):
            axes.set(xlabel="Calls per question (mean)", ylabel=label, ylim=(-0.05, 1.05))
        figure.legend(loc="outside right upper")
    return figure
