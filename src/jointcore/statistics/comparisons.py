"""Descriptive comparisons of all methods with JointCore and with the cost-aware singleton.

Source: paper, section "Statistics": everything beyond the registered tests is descriptive. So
these rows carry intervals and effect sizes and no p-value.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.statistics.frame import ModelFrame, require_measure
from jointcore.statistics.pairs import effect_columns, pair_effect, pair_methods
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    JOINTCORE,
    SINGLETON,
    STUDY_SEED,
)
from jointcore.statistics.statistic import CohortRun, statistic


def descriptive_comparisons(
    frame: pd.DataFrame | ModelFrame,
    baselines: Sequence[str] = (JOINTCORE, SINGLETON),
    measures: Sequence[str] = tuple(MEASURES),
    *,
    seed: int = STUDY_SEED,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> pd.DataFrame:
    """One row a (model, baseline, other method, measure): other method minus baseline.

    Columns: ``kind`` ("descriptive"), ``model``, ``measure``, ``first`` (the other method),
    ``second`` (the baseline), then those of ``registered_tests`` from ``tasks`` to
    ``second_only``. A row does not depend on which other models or methods are in the frame. Where
    a measure is defined for one of the two methods only (a cost gap needs a sufficient set), the
    pair is left out and counted in ``undefined``; ``tasks`` counts it too.

    Raises:
        ValueError: an invalid frame, an unknown measure, a baseline without rows for a model,
            unpaired tasks.
    """
    for measure in measures:
        require_measure(measure)
    checked = ModelFrame.of(frame)
    rows = []
    for model in checked.models:
        methods = [method for method in checked.methods if (model, method) in checked.cells]
        for baseline in baselines:
            for method in methods:
                if method == baseline:
                    continue
                pair = pair_methods(checked.cells, model, method, baseline)
                for measure in measures:
                    effect = pair_effect(pair, measure, seed=seed, replicates=replicates)
                    rows.append(
                        {
                            "kind": "descriptive",
                            "model": model,
                            "measure": measure,
                            "first": method,
                            "second": baseline,
                            **effect_columns(effect),
                        }
                    )
    if not rows:
        raise ValueError("The model frame holds no method beside the baseline; add a second method to compare.")
    return pd.DataFrame(rows).astype({"first_only": "Int64", "second_only": "Int64"})


@statistic("comparisons", 20)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return descriptive_comparisons(run.primary, replicates=run.replicates)
