"""The trace of one search, evaluation by evaluation (paper, Figure 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from jointcore.errors import InputError
from jointcore.figures.style import PAGE, figure_style

#: Face and hatch of a cell by its state.
_LOOK = {
    "retained": ("#FFFFFF", ""),
    "tested, stays": ("#E69F00", "////"),
    "tested, dropped": ("#0072B2", ""),
    "dropped before": ("#E6E6E6", ""),
}


def trace_data(example: Mapping[str, Any], slug: str) -> pd.DataFrame:
    """State of every record at every evaluation of a method: a row an evaluation and record.

    Args:
        example: content of ``results/exact/worked_example.json``.
        slug: the method.

    Raises:
        InputError: the run holds no such method.
    """
    method = next((method for method in example["methods"] if method["slug"] == slug), None)
    if method is None:
        raise InputError(f"the figure needs method {slug}; add it to methods/exact in the configuration")
    gone: set[int] = set()
    rows = []
    for evaluation, step in enumerate(method["steps"], 1):
        group, dropped = set(step["group"]), set(step["dropped"])
        for record in range(len(example["records"])):
            if record in gone:
                state = "dropped before"
            elif record in group:
                state = "tested, dropped" if record in dropped else "tested, stays"
            else:
                state = "retained"
            rows.append((evaluation, record, len(group), step["same"], state))
        gone |= dropped
    return pd.DataFrame(rows, columns=["evaluation", "record", "group_size", "same", "state"])


def draw_trace(data: pd.DataFrame, example: Mapping[str, Any], slug: str) -> Figure:
    """The figure: records as columns in the order in which they leave, evaluations as rows from top to bottom."""
    method = next(method for method in example["methods"] if method["slug"] == slug)
    left_at = data[data["state"] == "tested, dropped"].set_index("record")["evaluation"].to_dict()
    count, evaluations = len(example["records"]), int(data["evaluation"].max())
    order = sorted(range(count), key=lambda i: (left_at.get(i, evaluations + 1), i))
    place = {record: column for column, record in enumerate(order)}
    critical = {i for ids in example["minimum_cost_sets"] for i in ids}
    with figure_style():
        figure, axes = plt.subplots(figsize=(PAGE, 1.2 + 0.32 * (evaluations + 1)))
        for row in data.itertuples():
            face, hatch = _LOOK[row.state]
            axes.add_patch(
                Rectangle(
                    (place[row.record], row.evaluation - 1),
                    1,
                    1,
                    facecolor=face,
                    hatch=hatch,
                    edgecolor="#444444",
                    lw=0.5,
                )
            )
        for first in data.drop_duplicates("evaluation").itertuples():
            verdict = "same: drop" if first.same else "differs: split" if first.group_size > 1 else "differs: keep"
            axes.text(
                count + 0.3,
                first.evaluation - 0.5,
                f"{first.group_size:>2} tested, {verdict}",
                va="center",
                fontsize=10,
            )
        axes.set(xlim=(0, count), ylim=(evaluations, 0), ylabel="Evaluation")
        axes.set_xlabel("Record id, in the order in which they leave (bold: in a minimum-cost set)")
        axes.set_xticks([i + 0.5 for i in range(count)], [f"{record}" for record in order])
        for label, record in zip(axes.get_xticklabels(), order, strict=True):
            label.set_fontweight("bold" if record in critical else "normal")
        axes.set_yticks([i + 0.5 for i in range(evaluations)], [str(i + 1) for i in range(evaluations)])
        axes.tick_params(length=0)
        axes.grid(False)
        handles = [Patch(facecolor=f, hatch=h, edgecolor="#444444", label=s) for s, (f, h) in _LOOK.items()]
        figure.legend(handles=handles, ncols=len(_LOOK), loc="outside upper left")
        kept = "{" + ", ".join(map(str, method["records"])) + "}"
        axes.set_title(f"{method['name']} keeps {kept}, cost {method['cost']} of {example['full_cost']}", loc="left")
    return figure
