"""Retain or consolidate: accuracy by budget with the crossover, the gain's parts, and policies with their harms."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from jointcore.consolidation.routing import ALL, crossover
from jointcore.figures.style import PAGE, figure_style, line_style, marker_style

_COVERAGE, _REPLACEMENT = "#0072B2", "#E69F00"


def draw_accuracy(means: pd.DataFrame, names: dict[str, str]) -> Figure:
    """Accuracy of every action by budget; a dotted line marks where an action's gain over Retain ends.

    Args:
        means: see :func:`jointcore.consolidation.routing.decomposition`.
        names: action to name.
    """
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 0.5 * PAGE))
        for place, action in enumerate(dict.fromkeys(means["action"])):
            part, style = means[means["action"] == action], line_style(place)
            axes.plot(part["budget"], part["utility"], label=names[action], **style)
            ends = crossover(means, action)
            if ends is not None:
                axes.axvline(ends, color=style["color"], linestyle=":", linewidth=0.9)
        axes.set_xscale("log", base=2)
        budgets = sorted(set(means["budget"]))
        axes.set_xticks(budgets, [str(budget) for budget in budgets])
        axes.set(xlabel="Budget (words); dotted: crossover with Retain", ylabel="Accuracy", ylim=(0, 1.03))
        figure.legend(loc="outside right upper")
    return figure


def draw_decomposition(means: pd.DataFrame, names: dict[str, str]) -> Figure:
    """Coverage and replacement of every action, a panel a budget; they add up to the gain over Retain."""
    budgets = sorted(set(means["budget"]))
    actions = [action for action in dict.fromkeys(means["action"]) if action != "retain"]
    with figure_style():
        figure, panels = plt.subplots(1, len(budgets), figsize=(PAGE, 0.42 * PAGE), sharey=True, squeeze=False)
        for letter, budget, axes in zip("abcdefghijkl", budgets, panels[0], strict=False):
            part = means[means["budget"] == budget].set_index("action").loc[actions]
            x = range(len(actions))
            axes.bar([i - 0.2 for i in x], part["coverage"], 0.4, label="Coverage", color=_COVERAGE)
            axes.bar([i + 0.2 for i in x], part["replacement"], 0.4, label="Replacement", color=_REPLACEMENT)
            axes.axhline(0, color="black", linewidth=0.8)
            axes.set_xticks(list(x), [names[action] for action in actions], rotation=45, ha="right")
            axes.set_title(f"({letter}) {budget} words")
        panels[0][0].set_ylabel("Part of the gain over Retain")
        figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    return figure


def draw_policies(routing: pd.DataFrame, names: dict[str, str]) -> Figure:
    """Accuracy over all budgets against harms, with the interval of the gain over Retain."""
    part = routing[routing["budget"] == ALL]
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 0.5 * PAGE))
        for place, row in enumerate(part.to_dict("records")):
            low, high = row["gain"] - row["gain_low"], row["gain_high"] - row["gain"]
            axes.errorbar(
                row["harms"],
                row["accuracy"],
                yerr=[[low], [high]],
                label=names[row["policy"]],
                elinewidth=0.8,
                **marker_style(place),
            )
        axes.set(xlabel="Harms: rows that Retain answers and the choice does not", ylabel="Accuracy", ylim=(0, 1.03))
        figure.legend(loc="outside right upper")
    return figure
