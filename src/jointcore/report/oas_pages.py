"""Retain or consolidate: what was published beside this run's generated notes, and the tables of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from jointcore.consolidation.routing import ALL, crossover
from jointcore.report.page import table_page
from jointcore.report.table import Column, Table
from jointcore.report.verdicts import Figure, comparison_frame

#: Policy to its name, in the order of the tables.
POLICY_NAMES: Mapping[str, str] = {
    "retain": "Retain",
    "merge": "Merge",
    "abstract": "Abstract",
    "rewrite": "Rewrite",
    "select": "Select (JointCore)",
    "best_fixed": "Best fixed action",
    "evidence_fit": "Evidence-fit rule",
    "k_nn": "k-NN",
    "mlp": "MLP",
    "direct": "OAS, direct",
    "direct_with_select": "OAS, direct, with Select",
    "calibrated": "OAS, calibrated",
    "oracle": "Oracle",
    "oracle_with_select": "Oracle, with Select",
}
_DATA = {
    "longmemeval": "LongMemEval",
    "locomo": "LoCoMo",
    "full_history": "Full history, mean over budgets",
}
_WHY = (
    "The published figures are of other data (LongMemEval and LoCoMo, with a language model as operator and reader), "
    "which were not run here; they show as “not run”. This run's figures are of generated notes whose facts are known."
)


def compare_oas(published: Mapping[str, Any]) -> pd.DataFrame:
    """Every published figure with its verdict; columns as ``results/comparison/exact.csv``. None was run here."""
    return comparison_frame(_figures(published), True)


def oas_page(routing: pd.DataFrame, means: pd.DataFrame, comparison: pd.DataFrame) -> str:
    """The page of the exact stage.

    Args:
        routing: see :func:`jointcore.consolidation.routing.routing_results`.
        means: see :func:`jointcore.consolidation.routing.decomposition`.
        comparison: see :func:`compare_oas`.
    """
    named = means.assign(name=means["action"].map(POLICY_NAMES))
    crossings = pd.DataFrame(
        {"name": POLICY_NAMES[action], "budget": crossover(means, action)}
        for action in dict.fromkeys(means["action"])
        if action != "retain"
    )
    order = {policy: place for place, policy in enumerate(POLICY_NAMES)}
    policies = routing.assign(
        name=routing["policy"].map(POLICY_NAMES),
        under=[str(budget) if budget != ALL else "all" for budget in routing["budget"]],
        place=routing["policy"].map(order),
        interval=[f"{row.gain_low:+.3f} to {row.gain_high:+.3f}" for row in routing.itertuples()],
    ).sort_values(["place", "budget"], kind="stable", ignore_index=True)
    tables = [
        Table(
            policies,
            (
                Column("name", "Policy"),
                Column("under", "Budget"),
                Column("accuracy", "Accuracy", 3),
                Column("gain", "Gain over Retain", 3),
                Column("interval", "95% interval"),
                Column("harms", "Harms"),
                Column("over_best_fixed", "Over best fixed", 3),
                Column("consolidated", "Share not Retain", 3),
            ),
            "Policies by budget",
            "Cross-fitted over five folds of questions. Harms: rows that Retain answers and the choice does not. "
            "Intervals: bootstrap over questions, pointwise.",
        ),
        Table(
            named,
            (
                Column("budget", "Budget"),
                Column("name", "Action"),
                Column("utility", "Accuracy", 3),
                Column("gain", "Gain over Retain", 3),
                Column("coverage", "Coverage", 3),
                Column("replacement", "Replacement", 3),
                Column("output_cost", "Words", 1),
                Column("calls", "Calls", 2),
            ),
            "Where the gain comes from",
            "Coverage: questions of which no raw note fits. Replacement: questions where the record displaces a note "
            "that fits. The two add up to the gain exactly on every row.",
        ),
        Table(
            crossings,
            (Column("name", "Action"), Column("budget", "Budget", 0)),
            "Crossover",
            "The budget at which the mean gain over Retain ends; a dash: not within the budgets.",
        ),
        Table(
            comparison,
            (
                Column("place", "Published in"),
                Column("what", "Figure"),
                Column("published", "Published"),
                Column("verdict", "Verdict"),
            ),
            "Published",
            _WHY,
        ),
    ]
    return table_page("Retain or consolidate", tables, [_WHY])


def _figures(published: Mapping[str, Any]) -> Iterator[Figure]:
    for data, title in _DATA.items():
        part = published[data]
        budgets = part.get("budgets")
        for measure, rows in part.items():
            if measure == "budgets":
                continue
            place = f"{title}: {measure.replace('_', ' ')}"
            for policy, values in rows.items() if isinstance(rows, Mapping) else [("all questions", rows)]:
                name = POLICY_NAMES.get(policy, policy)
                if isinstance(values, list):
                    for budget, value in zip(budgets, values, strict=True):
                        yield Figure(place, f"{name}, budget {budget}", value, digits=3, missing=True)
                else:
                    yield Figure(place, name, values, digits=3, missing=True)
