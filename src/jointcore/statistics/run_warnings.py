"""What keeps a finished model run from saying anything: invalid answers, or the same answer whatever is asked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

#: A larger share of invalid decisions is said.
MOST = 0.5
#: A control accuracy that guessing reaches too.
CHANCE = 0.5


def run_warnings(summary: pd.DataFrame, names: Mapping[str, str]) -> list[str]:
    """A sentence for each model whose run says little, in the order of the names.

    Args:
        summary: means per model, method and measure (columns ``model``, ``method``, ``measure``, ``mean``).
        names: model key to its name.
    """
    return [sentence for model, name in names.items() for sentence in _warnings(summary, model, name)]


def _warnings(summary: pd.DataFrame, model: str, name: str) -> list[str]:
    own = summary[summary["model"] == model].pivot(index="method", columns="measure", values="mean")
    if own.empty:
        return []
    said = []
    # Of each search its decisions, the final one and the terminal step, which no invalid decision has.
    share = own["invalid_decisions"].sum() / (own["intervention_count"] + 1).sum()
    if share >= MOST:
        said.append(
            f"{name}: {min(share, 1):.0%} of its decisions are invalid, so its figures say little; column "
            f"invalid_reason of results/model/{model}/primary.parquet says why"
        )
    shares = own["satisfied_share"].dropna()
    for value, answer in ((1.0, "YES"), (0.0, "NO")):
        if len(shares) and (shares == value).all():
            said.append(f"{name}: {answer} to every question, whatever is retained, so that nothing seems to be needed")
    control = own["control_accuracy"].dropna()
    if control.empty:
        said.append(f"{name}: its control accuracy is undefined, so nothing can be said of its decisions")
    elif control.max() <= CHANCE:
        said.append(f"{name}: full memory is decided right in {control.max():.0%} of the tasks, no better than a guess")
    return said
