"""Means of the stress experiments over conditions and seeds: overall, by family and by number of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from jointcore.evaluation.stress.sweep import MEASURES

ALL = "all"
_SCENARIO = ["level", "budget", "noise"]
#: Columns of the means, see :func:`stress_means`; those of :data:`TEXT_COLUMNS` are labels even where they are numbers.
COLUMNS = ("method", "name", *_SCENARIO, "grouping", "group", "conditions", "seeds", *MEASURES)
TEXT_COLUMNS = ("level", "noise", "group")
_GROUPINGS = {ALL: [], "family": ["family"], "n": ["candidate_count"]}


def stress_means(batches: Mapping[str, Iterable[pa.RecordBatch]], methods: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The means of an experiment.

    Args:
        batches: the results of each method, by slug, see :data:`jointcore.evaluation.stress.storage.SCHEMA`.
        methods: their descriptions, in table order.

    Returns:
        A row a method, scenario and group: ``method`` (slug), ``name``, ``level``, ``budget``, ``noise``, ``grouping``
        (``all``, ``family`` or ``n``), ``group``, ``conditions`` (over all seeds), ``seeds``, and the mean of each
        measure. Scenarios are in the order in which they were run.
    """
    parts = []
    for description in methods:
        rows = pa.Table.from_batches(batches[description["slug"]]).to_pandas()
        for grouping, columns in _GROUPINGS.items():
            parts.append(_means(rows, grouping, columns).assign(method=description["slug"], name=description["name"]))
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)]


def _means(rows: pd.DataFrame, grouping: str, columns: list[str]) -> pd.DataFrame:
    weighted = rows.assign(**{measure: rows[measure] * rows["conditions"] for measure in MEASURES})
    groups = weighted.groupby([*_SCENARIO, *columns], sort=False)
    sums = groups[["conditions", *MEASURES]].sum()
    for measure in MEASURES:
        sums[measure] /= sums["conditions"]
    sums["seeds"] = groups["seed"].nunique()
    means = sums.reset_index()
    means["group"] = means[columns[0]].astype(str) if columns else ALL
    return means.assign(grouping=grouping)


def limit_means(batches: Iterable[pa.RecordBatch]) -> pd.DataFrame:
    """The mean limits: a row for all conditions and one a family, with ``group``, ``conditions`` and each limit."""
    rows = pa.Table.from_batches(batches).to_pandas()
    limits = ["certificate", "optimal", "optimal_uncertified"]
    groups = [(ALL, rows), *rows.groupby("family", sort=False)]
    return pd.DataFrame(
        [{"group": group, "conditions": len(own), **own[limits].mean().to_dict()} for group, own in groups]
    )
