"""Evaluations against the number of candidate records, every method that evaluates (paper, exact stage)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

from jointcore.figures.style import HIGHLIGHTED, PAGE, figure_style, method_style, series_id


def evaluations_data(metrics: Mapping[str, Any]) -> pd.DataFrame:
    """Mean evaluations: a row a method and n, methods in table order.

    Args:
        metrics: content of ``results/exact/metrics.json``.
    """
    rows = [
        (method["slug"], method["name"], int(count), means[method["slug"]]["intervention_count"])
        for method in metrics["methods"]
        for count, means in metrics["metrics"]["by_candidate_count"].items()
    ]
    frame = pd.DataFrame(rows, columns=["slug", "method", "candidate_count", "evaluations"])
    return frame.sort_values("candidate_count", kind="stable", ignore_index=True)


def draw_evaluations(data: pd.DataFrame) -> Figure:
    """The figure; methods that never evaluate are not drawn, and methods with equal counts share a label."""
    lines: dict[tuple[tuple[int, float], ...], list[tuple[str, str]]] = {}
    for name in data["method"].unique():
        rows = data[data["method"] == name]
        if rows["evaluations"].any():
            points = tuple(zip(rows["candidate_count"], rows["evaluations"], strict=True))
            lines.setdefault(points, []).append((rows["slug"].iloc[0], name))
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 5.0))
        for points, methods in lines.items():
            slug = next((slug for slug, _ in methods if slug in HIGHLIGHTED), methods[0][0])
            label = ", ".join(name for _, name in methods)
            axes.plot(*zip(*points, strict=True), label=label, gid=series_id(slug), **method_style(slug))
        counts = sorted(data["candidate_count"].unique())
        axes.set(xscale="log", yscale="log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(ScalarFormatter())
            axis.set_minor_locator(NullLocator())
        axes.set_xticks(counts, [str(count) for count in counts])
        largest = max(data["evaluations"].max(), 1)
        axes.set_yticks([tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if tick <= 2 * largest])
        axes.set(xlabel="Candidate records, n", ylabel="Evaluations per condition (mean)")
        figure.legend(loc="outside right upper")
    return figure
