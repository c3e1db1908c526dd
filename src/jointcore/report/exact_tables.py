"""Tables of the exact stage: Table 1, the same by number of records and by family, and Table 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from jointcore.evaluation.measure_catalogue import EXACT_MEASURES
from jointcore.report.table import Column, Table

_METHOD = Column("method", "Method")
_MEASURES = tuple(
    Column(key, measure.exact_name or measure.name, measure.digits)
    for key, measure in EXACT_MEASURES.items()
    if key != "budget_exhausted"
)
_NOTE = (
    "Means over conditions with the logical rule as the judge; an undefined value is left out of a mean. "
    "Evaluations do not count the one on full memory."
)


def table1(metrics: Mapping[str, Any]) -> Table:
    """Table 1: every method over all conditions.

    Args:
        metrics: content of ``results/exact/metrics.json``.
    """
    rows = [_row(method, metrics["metrics"]["overall"]) for method in metrics["methods"]]
    conditions = rows[0]["records"]
    title = f"Table 1: Exact stage, {conditions:,} conditions"
    return Table(pd.DataFrame(rows), (_METHOD, *_MEASURES), title, _noted(metrics), "exact")


def table1_by_n(metrics: Mapping[str, Any]) -> Table:
    """Table 1 by the number of candidate records, n."""
    return _grouped(
        metrics,
        "by_candidate_count",
        Column("candidate_count", "n"),
        int,
        "Exact stage by number of records",
        "exact-n",
    )


def table1_by_family(metrics: Mapping[str, Any]) -> Table:
    """Table 1 by interaction family."""
    column, names = Column("family", "Family"), metrics["families"]
    return _grouped(metrics, "by_family", column, names.__getitem__, "Exact stage by family", "exact-family")


def table4(example: Mapping[str, Any]) -> Table:
    """Table 4: the worked example through every method that selects a part.

    Args:
        example: content of ``results/exact/worked_example.json``.
    """
    rows = [
        {
            "slug": method["slug"],
            "method": method["name"],
            "records": method["records"],
            "cost": method["cost"],
            "sufficient": method["sufficient"],
            "minimum": method["minimum"],
            "evaluations": method["evaluations"],
        }
        for method in example["methods"]
        if method["slug"] != "full_memory"
    ]
    columns = (
        _METHOD,
        Column("records", "Records kept"),
        Column("cost", "Cost", 0),
        Column("sufficient", "Sufficient"),
        Column("minimum", "Minimum cost"),
        Column("evaluations", "Evaluations", 0),
    )
    sets = " and ".join("{" + ", ".join(map(str, ids)) + "}" for ids in example["minimum_cost_sets"])
    note = (
        f"Condition {example['condition']}. Full memory: {len(example['records'])} records, cost "
        f"{example['full_cost']}. Minimum-cost sets: {sets}."
    )
    return Table(pd.DataFrame(rows), columns, "Table 4: The worked example", note, "worked-example")


#: Table of the aggregates by the name of its file.
EXACT_TABLES: dict[str, Callable[[Mapping[str, Any]], Table]] = {
    "table1": table1,
    "table1_by_n": table1_by_n,
    "table1_by_family": table1_by_family,
}


def _row(method: Mapping[str, Any], means: Mapping[str, Any]) -> dict[str, Any]:
    return {"slug": method["slug"], "method": method["name"], **means[method["slug"]]}


def _grouped(
    metrics: Mapping[str, Any], grouping: str, column: Column, show: Callable[[str], Any], title: str, name: str
) -> Table:
    rows = [
        {column.key: show(group), **_row(method, means)}
        for group, means in metrics["metrics"][grouping].items()
        for method in metrics["methods"]
    ]
    return Table(pd.DataFrame(rows), (column, _METHOD, *_MEASURES), title, _noted(metrics), name)


def _noted(metrics: Mapping[str, Any]) -> str:
    extensions = [f"{m['name']}: {m['extension'].rstrip('.')}." for m in metrics["methods"] if m["extension"]]
    others = [m["name"] for m in metrics["methods"] if not m["study"]]
    beyond = [f"Not in the published study: {', '.join(others)}."] if others else []
    return " ".join([_NOTE, *beyond, *extensions])
