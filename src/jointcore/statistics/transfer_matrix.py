"""Cross-model transfer: what is kept of the behavior when another model decides (paper, protocol)."""

from __future__ import annotations

import pandas as pd

from jointcore.statistics.registration import ordered_methods, ordered_models
from jointcore.statistics.vectors import exact_mean


def transfer_matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a (method, source, target): means over tasks.

    Args:
        frame: columns source, target, method, behavior_retained, final_decision_correct, reused (see
            ``jointcore.evaluation.model_storage.TRANSFER_ROWS``).

    Returns:
        Columns ``method``, ``source``, ``target``, ``tasks``, ``behavior_retained``,
        ``final_decision_correct`` (shares of tasks) and ``reused`` (the diagonal, taken from the primary run).

    Raises:
        ValueError: no rows, or a pair of models without rows for a method.
    """
    if frame.empty:
        raise ValueError("The transfer frame has no rows; run the transfer for at least one pair of models first.")
    cells = dict(list(frame.groupby(["method", "source", "target"], sort=True)))
    models = ordered_models([*frame["source"], *frame["target"]])
    rows = []
    for method in ordered_methods(frame["method"]):
        for source in models:
            for target in models:
                if (method, source, target) not in cells:
                    raise ValueError(
                        f"The sets that {source!r} selected with {method!r} were not decided by {target!r}; run the "
                        "transfer for every pair of models."
                    )
                cell = cells[method, source, target]
                rows.append(
                    {
                        "method": method,
                        "source": source,
                        "target": target,
                        "tasks": len(cell),
                        "behavior_retained": exact_mean(cell["behavior_retained"]),
                        "final_decision_correct": exact_mean(cell["final_decision_correct"]),
                        "reused": bool(cell["reused"].all()),
                    }
                )
    return pd.DataFrame(rows)
