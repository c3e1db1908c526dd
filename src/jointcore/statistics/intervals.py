"""95% intervals of every mean of a model and method (paper, Figure 2: whiskers)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from jointcore.evaluation.measure_catalogue import CONTROL
from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.pairs import bootstrap_seed
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, JOINTCORE, SINGLETON, STUDY_SEED
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.summaries import method_means


def interval_means(
    frame: pd.DataFrame | ModelFrame, *, seed: int = STUDY_SEED, replicates: int = BOOTSTRAP_REPLICATES
) -> pd.DataFrame:
    """:func:`jointcore.statistics.summaries.method_means` with the task-cluster bootstrap interval of each mean.

    Columns: model, method, measure, mean, tasks, undefined, ``ci_low``, ``ci_high`` (NaN where no value is
    defined). A row does not depend on the other models and methods of the frame. Control accuracy is a
    property of the model alone and has one interval for all methods.

    The resamples of tasks are those of the registered difference of the same model and measure, so that an interval
    is the same in Figure 2 and in Table 5 where one of the pair is a constant (the singleton asks n queries).

    Raises:
        ValueError: an invalid frame.
    """
    checked = ModelFrame.of(frame)
    rows = method_means(checked)
    known: dict[tuple[str, ...], tuple[float, float]] = {}
    ends = []
    for model, method, measure in zip(rows["model"], rows["method"], rows["measure"], strict=True):
        identity = (model, measure) if measure == CONTROL.key else (model, method, measure)
        if identity not in known:
            values = checked.cells[model, method][measure].to_numpy(dtype=np.float64)
            values = values[~np.isnan(values)]
            if values.size:
                drawn = bootstrap_seed(seed, model, measure, (JOINTCORE, SINGLETON))
                interval = cluster_bootstrap(values, seed=drawn, replicates=replicates)
                known[identity] = interval.low, interval.high
            else:
                known[identity] = np.nan, np.nan
        ends.append(known[identity])
    return rows.assign(ci_low=[low for low, _ in ends], ci_high=[high for _, high in ends])


@statistic("summary", 70)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return interval_means(run.primary, replicates=run.replicates)
