"""Robustness cells: trajectory success by memory interface and label style (paper, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from jointcore.hashing import stable_seed
from jointcore.statistics.effects import paired_effect
from jointcore.statistics.frame import split_cells, validate_robustness_frame
from jointcore.statistics.pairs import effect_columns, pair_methods
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    JOINTCORE,
    SINGLETON,
    STUDY_SEED,
    ordered_models,
)
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean

PUBLISHED_CELLS: Mapping[str, tuple[str, str]] = {
    "primary": ("typed_mask", "boolean"),
    "deletion": ("deletion", "boolean"),
    "typed_mask": ("typed_mask", "boolean"),
    "plausible_same_type": ("plausible_same_type", "boolean"),
    "counterfactual": ("counterfactual", "boolean"),
    "direct": ("typed_mask", "direct"),
    "ab": ("typed_mask", "ab"),
}
"""Column of the published table to its (interface, label style); two columns share one cell."""


def robustness_cells(
    frame: pd.DataFrame, *, seed: int = STUDY_SEED, replicates: int = BOOTSTRAP_REPLICATES
) -> pd.DataFrame:
    """One row a (model, interface, label style): JointCore against the cost-aware singleton.

    Columns: ``kind`` ("descriptive"), ``model``, ``interface``, ``label_style``, the columns of
    ``registered_tests`` from ``tasks`` to ``second_only`` for trajectory success (first:
    JointCore, second: singleton), and ``agreement_first``, ``agreement_second``: share of tasks
    whose action is that of the primary run.

    Raises:
        ValueError: an invalid frame, a cell with one of the two methods only, unpaired tasks.
    """
    checked = validate_robustness_frame(frame)
    rows = []
    for model in ordered_models(checked["model"]):
        own = checked[checked["model"] == model]
        for (interface, style), part in own.groupby(["interface", "label_style"], sort=True):
            pair = pair_methods(split_cells(part), model, JOINTCORE, SINGLETON)
            first, second = pair.values("trajectory_success")
            effect = paired_effect(
                first,
                second,
                pair.tasks,
                boolean=True,
                seed=stable_seed(seed, "robustness", model, interface, style),
                replicates=replicates,
            )
            agreement = pair.values("agrees_with_primary")
            rows.append(
                {
                    "kind": "descriptive",
                    "model": model,
                    "interface": interface,
                    "label_style": style,
                    **effect_columns(effect),
                    "agreement_first": exact_mean(agreement[0]),
                    "agreement_second": exact_mean(agreement[1]),
                }
            )
    return pd.DataFrame(rows).astype({"first_only": "Int64", "second_only": "Int64"})


def published_columns(cells: pd.DataFrame) -> pd.DataFrame:
    """The seven published columns out of :func:`robustness_cells`.

    One row a (model, column) that was run: ``model``, ``column``, ``jointcore``, ``singleton``
    (rates) and ``difference``. A cell that was not run has no row.
    """
    rows = []
    for model in ordered_models(cells["model"]):
        for column, (interface, style) in PUBLISHED_CELLS.items():
            found = cells[
                (cells["model"] == model) & (cells["interface"] == interface) & (cells["label_style"] == style)
            ]
            for row in found.itertuples():
                rows.append(
                    {
                        "model": model,
                        "column": column,
                        "jointcore": row.mean_first,
                        "singleton": row.mean_second,
                        "difference": row.difference,
                    }
                )
    names = ["model", "column", "jointcore", "singleton", "difference"]
    return pd.DataFrame(rows, columns=names)


@statistic("robustness", 60)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return robustness_cells(run.robustness, replicates=run.replicates)
