"""95% intervals of every mean of a model and method (paper, Figure 2: whiskers)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from jointcore.hashing import stable_seed
from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.frame import CONTROL, validate_model_frame
from jointcore.statistics.pairs import split_cells
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, STUDY_SEED
from jointcore.statistics.summaries import method_means


def interval_means(
    frame: pd.DataFrame, *, seed: int = STUDY_SEED, replicates: int = BOOTSTRAP_REPLICATES
) -> pd.DataFrame:
    """:func:`jointcore.statistics.summaries.method_means` with the task-cluster bootstrap interval of each mean.

    Columns: model, method, measure, mean, tasks, undefined, ``ci_low``, ``ci_high`` (NaN where no value is
    defined). A row does not depend on the other models and methods of the frame. Control accuracy is a
    property of the model alone and has one interval for all methods.

    Raises:
        ValueError: an invalid frame.
    """
    cells = split_cells(validate_model_frame(frame))
    rows = method_means(frame)
    known: dict[tuple[str, ...], tuple[float, float]] = {}
    ends = []
    for model, method, measure in zip(rows["model"], rows["method"], rows["measure"], strict=True):
        identity = (model, measure) if measure == CONTROL else (model, method, measure)
        if identity not in known:
            values = cells[model, method][measure].to_numpy(dtype=np.float64)
            values = values[~np.isnan(values)]
            if values.size:
                drawn = stable_seed(seed, "mean", *identity)
                interval = cluster_bootstrap(values, seed=drawn, replicates=replicates)
                known[identity] = interval.low, interval.high
            else:
                known[identity] = np.nan, np.nan
        ends.append(known[identity])
    return rows.assign(ci_low=[low for low, _ in ends], ci_high=[high for _, high in ends])
