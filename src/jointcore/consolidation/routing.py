"""How good each policy is: accuracy by budget, harms, and paired differences with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from jointcore.consolidation.features import FEATURES
from jointcore.consolidation.operators import ACTIONS
from jointcore.consolidation.router import POLICIES, Table, cross_fitted, fixed
from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.pairs import comparison_seed
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, STUDY_SEED

#: The row of all budgets together.
ALL = 0


def routing_table(rows: Iterable[Mapping[str, Any]], actions: Sequence[str]) -> Table:
    """Outcomes (see :mod:`jointcore.consolidation.evaluate`) as a table of questions under budgets.

    Raises:
        ValueError: a question and budget lacks an action.
    """
    frame = pd.DataFrame(rows)
    wide = frame.pivot(index=["question", "budget"], columns="action", values="utility")
    if not set(actions) <= set(wide.columns) or wide[list(actions)].isna().to_numpy().any():
        raise ValueError(f"every question and budget needs the actions {', '.join(actions)}")
    seen = frame.drop_duplicates(["question", "budget"]).set_index(["question", "budget"]).loc[wide.index]
    index = wide.index.to_frame()
    return Table(
        index["question"].to_numpy(dtype=object),
        index["budget"].to_numpy(),
        seen[list(FEATURES)].to_numpy(dtype=float),
        wide[list(actions)].to_numpy(dtype=float),
        tuple(actions),
    )


def choices(table: Table, with_select: Table | None = None) -> dict[str, tuple[Table, np.ndarray]]:
    """What every policy chooses, by name, with the table that it chooses from.

    Args:
        table: the four published actions.
        with_select: the same with Select as a fifth action; adds that action, its router and its oracle.
    """
    policies = {**{action: fixed(action) for action in ACTIONS}, **POLICIES}
    found = {name: (table, cross_fitted(table, fit)) for name, fit in policies.items()}
    if with_select is not None:
        for name, fit in (("select", fixed("select")), *((n, POLICIES[n]) for n in ("direct", "oracle"))):
            key = name if name == "select" else f"{name}_with_select"
            found[key] = (with_select, cross_fitted(with_select, fit))
    return found


def routing_results(
    chosen: Mapping[str, tuple[Table, np.ndarray]], *, replicates: int = BOOTSTRAP_REPLICATES
) -> pd.DataFrame:
    """A row a policy and budget (0: all of them), questions paired throughout.

    Columns: ``policy``, ``budget``, ``rows``, ``accuracy``, ``gain`` over Retain with ``gain_low``, ``gain_high`` (95%,
    bootstrap over questions), ``harms`` (rows that Retain answers and the chosen action does not), ``over_best_fixed``
    with ``over_low``, ``over_high``, and ``consolidated``, the share of rows where the choice is not Retain.
    """
    rows = []
    reference = _values(*chosen["best_fixed"])
    for policy, (table, picks) in chosen.items():
        values, retained = _values(table, picks), table.utilities[:, 0]
        for budget in (*np.unique(table.budgets), ALL):
            here = np.ones(len(values), dtype=bool) if budget == ALL else table.budgets == budget
            clusters = table.questions[here].astype(str)

            def interval(differences: np.ndarray, against: str, clusters=clusters, budget=budget, policy=policy):
                seed = comparison_seed(STUDY_SEED, "oas", str(budget), "utility", (policy, against))
                return cluster_bootstrap(differences, clusters, seed=seed, replicates=replicates)

            gain = interval(values[here] - retained[here], "retain")
            over = interval(values[here] - reference[here], "best_fixed")
            rows.append(
                {
                    "policy": policy,
                    "budget": int(budget),
                    "rows": int(here.sum()),
                    "accuracy": float(values[here].mean()),
                    "gain": gain.mean,
                    "gain_low": gain.low,
                    "gain_high": gain.high,
                    "harms": int((values[here] < retained[here]).sum()),
                    "over_best_fixed": over.mean,
                    "over_low": over.low,
                    "over_high": over.high,
                    "consolidated": float((picks[here] != 0).mean()),
                }
            )
    return pd.DataFrame(rows)


def decomposition(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Means by budget and action: ``utility``, ``gain``, ``coverage``, ``replacement``, ``calls``, ``output_cost``."""
    frame = pd.DataFrame(rows)
    frame["gain"] = frame["utility"] - frame["retain_utility"]
    columns = ["utility", "gain", "coverage", "replacement", "calls", "output_cost"]
    order = list(dict.fromkeys(frame["action"]))
    means = frame.groupby(["budget", "action"])[columns].mean().reset_index()
    return means.sort_values(["budget", "action"], key=lambda c: c.map(order.index) if c.name == "action" else c,
                             ignore_index=True)  # fmt: skip


def crossover(means: pd.DataFrame, action: str) -> float | None:
    """The budget at which an action's mean gain turns from above 0 to 0 or below, on a line through its neighbours.

    ``None`` if it does not within the budgets.
    """
    part = means[means["action"] == action].sort_values("budget")
    for (low, before), (high, after) in pairwise(zip(part["budget"], part["gain"], strict=True)):
        if before > 0 >= after:
            return float(low + (high - low) * before / (before - after))
    return None


def _values(table: Table, picks: np.ndarray) -> np.ndarray:
    return table.utilities[np.arange(len(picks)), picks]
