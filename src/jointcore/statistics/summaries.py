"""Means per model and method, and the paper's Tables 2 and 5 out of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from jointcore.evaluation.measure_catalogue import CONTROL, MEASURES, WITH_CONTROL, Measure
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.printing import format_p, format_queries, format_rate
from jointcore.statistics.registration import (
    JOINTCORE,
    SINGLETON,
    ordered_models,
)
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean


@dataclass(frozen=True, slots=True)
class Table2Column:
    """A column of Table 2.

    Attributes:
        key: its name in this project's tables and in the published figures.
        title: its heading.
        measure: the measure.
        method: the method; empty for control accuracy, the same for all.
        label: the method's name in words; empty as above.
    """

    key: str
    title: str
    measure: Measure
    method: str = ""
    label: str = ""


TABLE2_COLUMNS: Mapping[str, Table2Column] = {
    column.key: column
    for column in (
        Table2Column("control", "Control", CONTROL),
        *(
            Table2Column(f"{stem}_{side}", f"{stem.capitalize()} {side[0].upper()}", MEASURES[measure], method, label)
            for stem, measure in (
                ("behavior", "behavioral_sufficiency"),
                ("exact", "exact_sufficiency"),
                ("minimum", "valid_minimum_set"),
                ("savings", "active_token_savings"),
                ("queries", "intervention_count"),
            )
            for side, method, label in (("jointcore", JOINTCORE, "JointCore"), ("singleton", SINGLETON, "singleton"))
        ),
    )
}
"""Columns of Table 2 by their key, in the paper's order."""

TABLE2_FORMATS: Mapping[str, Callable[[float], str]] = {
    key: format_queries if column.measure.digits == 2 else format_rate for key, column in TABLE2_COLUMNS.items()
}
"""The paper's digits of the columns of Table 2."""

TABLE5_FORMATS: Mapping[str, Callable[[float], str]] = {
    "difference": format_queries,
    "ci_low": format_queries,
    "ci_high": format_queries,
    "adjusted_p": format_p,
}
"""Columns of Table 5, in the paper's order, with the paper's digits."""


def method_means(frame: pd.DataFrame | ModelFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Mean of every measure per model and method, undefined values skipped and counted.

    Args:
        frame: the model frame (see ``frame``).
        by: further columns that split the rows, such as ``("family",)``.

    Returns:
        One row a (model, method, *by, measure): ``mean`` (NaN if no value is defined), ``tasks``
        and ``undefined`` (tasks without a value). Measures in the frame's order, then
        ``control_accuracy``; models and methods in the paper's order.

    Raises:
        ValueError: an invalid frame or an unknown column in ``by``.
    """
    checked = ModelFrame.of(frame)
    unknown = [column for column in by if column not in checked.rows.columns]
    if unknown:
        raise ValueError(f"Column {unknown[0]!r} is not in the model frame; choose another split.")
    models = {name: place for place, name in enumerate(checked.models)}
    methods = {name: place for place, name in enumerate(checked.methods)}
    groups = list(checked.rows.groupby(["model", "method", *by], sort=True))
    groups.sort(key=lambda group: (models[group[0][0]], methods[group[0][1]]))
    rows = []
    for key, part in groups:
        for measure in WITH_CONTROL:
            values = part[measure].to_numpy(dtype=np.float64)
            defined = values[~np.isnan(values)]
            rows.append(
                {
                    **dict(zip(("model", "method", *by), key, strict=True)),
                    "measure": measure,
                    "mean": exact_mean(defined),
                    "tasks": values.size,
                    "undefined": values.size - defined.size,
                }
            )
    return pd.DataFrame(rows)


def table2(frame: pd.DataFrame | ModelFrame) -> pd.DataFrame:
    """Table 2 of the model frame: one row a model (see :func:`table2_of_means`)."""
    return table2_of_means(method_means(frame))


def table2_of_means(means: pd.DataFrame) -> pd.DataFrame:
    """Table 2 out of per-model means: control accuracy, and five measures for both methods.

    Args:
        means: columns model, method, measure, mean, as :func:`method_means` returns them. Control
            accuracy, the same for all methods, is read from JointCore's rows.

    Returns:
        Columns ``model`` and those of ``TABLE2_FORMATS``, unrounded, models in the paper's order.

    Raises:
        ValueError: a model without one of the means.
    """
    lookup = {
        (row.model, row.method, row.measure): float(row.mean)
        for row in means[["model", "method", "measure", "mean"]].itertuples(index=False)
    }

    def mean(model: str, method: str, measure: str) -> float:
        if (model, method, measure) not in lookup:
            raise ValueError(
                f"Model {model!r} has no mean of {measure!r} for method {method!r}; "
                "Table 2 needs both methods for every model."
            )
        return lookup[model, method, measure]

    rows = []
    for model in ordered_models(means["model"]):
        values = {
            key: mean(model, column.method or JOINTCORE, column.measure.key) for key, column in TABLE2_COLUMNS.items()
        }
        rows.append({"model": model, **values})
    return pd.DataFrame(rows, columns=["model", *TABLE2_FORMATS])


def mean_over_models(table: pd.DataFrame) -> pd.Series:
    """Mean over the rows (models) of Table 2, each column by itself, named "mean"."""
    columns = list(TABLE2_FORMATS)
    means = [exact_mean(table[column]) for column in columns]
    return pd.Series(means, index=columns, name="mean", dtype=float)


def table5(registered: pd.DataFrame) -> pd.DataFrame:
    """Table 5: the registered test of evaluations, one row a model.

    Args:
        registered: columns model, measure, difference, ci_low, ci_high, p_adjusted, as
            ``registered_tests`` returns them.

    Returns:
        Columns ``model`` and those of ``TABLE5_FORMATS``; differences in queries, unrounded.

    Raises:
        ValueError: no row tests the evaluations.
    """
    rows = registered[registered["measure"] == "intervention_count"]
    if rows.empty:
        raise ValueError("No row tests intervention_count; pass the registered tests.")
    rows = rows.rename(columns={"p_adjusted": "adjusted_p"}).set_index("model")
    rows = rows.loc[ordered_models(rows.index), list(TABLE5_FORMATS)]
    return rows.reset_index()


@statistic("by_family", 80)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return method_means(run.primary, ("family",))
