"""Differences by family out of the pools, which more than one figure shows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from jointcore.statistics.pool import ALL_FAMILIES
from jointcore.statistics.registration import SINGLETON
from jointcore.tasks.families import FAMILIES

_NAMES = {**{slug: schema.name for slug, schema in FAMILIES.items()}, ALL_FAMILIES: "All families"}


def family_differences(pool: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """Differences by family: a row a measure and family, in the benchmark's order, and a last one for all families.

    Columns: ``measure``, ``family``, ``name``, ``difference``, ``ci_low``, ``ci_high``, ``models``, ``tasks``.

    Args:
        pool: the statistic ``pool`` of a cohort.
        measures: the measures wanted.
    """
    pairs = pool[pool["second"] == SINGLETON].set_index(["measure", "family"])
    rows = [
        {
            "measure": measure,
            "family": family,
            "name": name,
            **pairs.loc[(measure, family), ["mean", "ci_low", "ci_high", "models", "tasks"]].rename(
                {"mean": "difference"}
            ),
        }
        for measure in measures
        for family, name in _NAMES.items()
        if (measure, family) in pairs.index
    ]
    return pd.DataFrame(rows)


def family_means(pool: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Means of a measure by family: a row a method and family, in the order of :func:`family_differences`.

    Columns: ``measure``, ``method``, ``family``, ``name``, ``value``, ``ci_low``, ``ci_high``, ``models``, ``tasks``.

    Args:
        pool: the statistic ``pool`` of a cohort.
        measure: the measure wanted.
        methods: slugs of the methods wanted.
    """
    own = pool[(pool["second"].fillna("") == "") & (pool["measure"] == measure)].set_index(["first", "family"])
    columns = ["mean", "ci_low", "ci_high", "models", "tasks"]
    rows = [
        {
            "measure": measure,
            "method": method,
            "family": family,
            "name": name,
            **own.loc[(method, family), columns].rename({"mean": "value"}),
        }
        for method in methods
        for family, name in _NAMES.items()
        if (method, family) in own.index
    ]
    return pd.DataFrame(rows)
