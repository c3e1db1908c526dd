"""How much of the savings comes from tasks that the judge decides wrong with everything before it."""

from __future__ import annotations

import math

import pandas as pd

from jointcore.evaluation.measure_catalogue import CONTROL
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean

_SAVINGS = "active_token_savings"


def savings_by_control(frame: pd.DataFrame | ModelFrame) -> pd.DataFrame:
    """One row a model and method of the registered pair: savings where full memory is decided right, and wrong.

    Where the control is wrong, a search may keep next to nothing and still keep the (wrong) decision: that saves much
    and helps nobody. Columns: ``model``, ``method``, ``tasks``, ``wrong`` (tasks), ``savings_right``,
    ``savings_wrong`` (means; NaN without tasks), ``share_from_wrong`` (share of all savings; NaN if nothing is saved).

    Raises:
        ValueError: an invalid frame.
    """
    checked = ModelFrame.of(frame)
    rows = []
    for model in checked.models:
        for method in (SINGLETON, JOINTCORE):
            if (model, method) in checked.cells:
                own = checked.cells[model, method]
                right, wrong = own.loc[own[CONTROL.key], _SAVINGS], own.loc[~own[CONTROL.key], _SAVINGS]
                total = math.fsum(own[_SAVINGS])
                rows.append(
                    {
                        "model": model,
                        "method": method,
                        "tasks": len(own),
                        "wrong": len(wrong),
                        "savings_right": exact_mean(right),
                        "savings_wrong": exact_mean(wrong),
                        "share_from_wrong": math.fsum(wrong) / total if total else math.nan,
                    }
                )
    return pd.DataFrame(rows)


@statistic("savings_by_control", 90)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return savings_by_control(run.primary)
