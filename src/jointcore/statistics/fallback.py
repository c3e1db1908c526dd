"""Archive fallback: a model whose verdict turns with the label style reverts to full memory.

Source: paper, section "Robustness". D: JointCore's trajectory success is at least the
singleton's under ``direct`` labels; A: the same under ``ab``; both under UNKNOWN masks. D and A
differ: the model keeps everything, so behavior is 1 and savings are 0.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from jointcore.statistics.frame import ModelFrame, split_cells, validate_robustness_frame
from jointcore.statistics.pairs import pair_methods
from jointcore.statistics.registration import JOINTCORE, SINGLETON, ordered_models
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean

FALLBACK_INTERFACE = "typed_mask"
FALLBACK_STYLES = ("direct", "ab")
COLUMNS = [
    "model",
    "robustness_tasks",
    *(f"{style}_{method}" for style in FALLBACK_STYLES for method in ("jointcore", "singleton")),
    *(f"{style}_holds" for style in FALLBACK_STYLES),
    "reverts",
    "primary_tasks",
    "behavior",
    "savings",
]


def reverts(direct: tuple[float, float], ab: tuple[float, float]) -> bool:
    """Whether (JointCore >= singleton) differs between the two label styles.

    Args:
        direct: trajectory success of (JointCore, singleton) under ``direct`` labels, as counts of
            the same tasks or as rates.
        ab: the same under ``ab`` labels.

    Raises:
        ValueError: a value is NaN.
    """
    if np.isnan([*direct, *ab]).any():
        raise ValueError("A trajectory success is NaN; run both label styles for both methods.")
    return (direct[0] >= direct[1]) != (ab[0] >= ab[1])


def archive_fallback(robustness: pd.DataFrame, frame: pd.DataFrame | ModelFrame) -> pd.DataFrame:
    """One row a model of the robustness frame: success counts, D, A, and what is then reported.

    Columns: model, ``robustness_tasks``, ``direct_jointcore``, ``direct_singleton``, ``ab_jointcore``,
    ``ab_singleton`` (tasks with trajectory success), ``direct_holds`` (D), ``ab_holds`` (A),
    ``reverts``, ``primary_tasks``, and over these ``behavior`` and ``savings`` (means: 1 and 0 after reverting, else
    JointCore's own in the model frame).

    Raises:
        ValueError: an invalid frame, a model of the robustness frame without JointCore rows in
            the model frame, a missing label style or method, unpaired tasks.
    """
    checked = validate_robustness_frame(robustness)
    primary = ModelFrame.of(frame).cells
    masked = checked[checked["interface"] == FALLBACK_INTERFACE]
    rows = []
    for model in ordered_models(checked["model"]):
        if (model, JOINTCORE) not in primary:
            raise ValueError(
                f"Model {model!r} has robustness rows and no {JOINTCORE} rows in the model frame; "
                "run its primary stage first."
            )
        counts = {style: _successes(masked, model, style) for style in FALLBACK_STYLES}
        (direct, tasks), (ab, _) = counts["direct"], counts["ab"]
        falls_back = reverts(direct, ab)
        own = primary[model, JOINTCORE]
        rows.append(
            {
                "model": model,
                "robustness_tasks": tasks,
                "direct_jointcore": direct[0],
                "direct_singleton": direct[1],
                "ab_jointcore": ab[0],
                "ab_singleton": ab[1],
                "direct_holds": direct[0] >= direct[1],
                "ab_holds": ab[0] >= ab[1],
                "reverts": falls_back,
                "primary_tasks": len(own),
                "behavior": 1.0 if falls_back else exact_mean(own["behavioral_sufficiency"]),
                "savings": 0.0 if falls_back else exact_mean(own["active_token_savings"]),
            }
        )
    return pd.DataFrame(rows)


def _successes(masked: pd.DataFrame, model: str, style: str) -> tuple[tuple[int, int], int]:
    """Tasks with trajectory success of (JointCore, singleton), and the number of tasks."""
    part = masked[(masked["model"] == model) & (masked["label_style"] == style)]
    if part.empty:
        raise ValueError(
            f"Model {model!r} has no rows for label style {style!r} under {FALLBACK_INTERFACE!r}; "
            "the fallback needs both label styles."
        )
    pair = pair_methods(split_cells(part), model, JOINTCORE, SINGLETON)
    jointcore, singleton = pair.values("trajectory_success")
    return (int(jointcore.sum()), int(singleton.sum())), len(jointcore)


@statistic("fallback", 50)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The archive fallback; without rows if this run does not decide both label styles that it needs."""
    cells = set(zip(run.robustness["interface"], run.robustness["label_style"], strict=True))
    if not {(FALLBACK_INTERFACE, style) for style in FALLBACK_STYLES} <= cells:
        return pd.DataFrame(columns=COLUMNS)
    return archive_fallback(run.robustness, run.primary)
