"""The four gates of the study, per model (paper, section "Statistics")."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.pairs import MethodPair, pair_effect, pair_methods
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    CONFIDENCE,
    JOINTCORE,
    LARGEST_TASK_LOSS,
    LEAST_EVALUATION_REDUCTION,
    LEAST_SAVINGS,
    NON_INFERIORITY_MARGIN,
    SINGLETON,
    STUDY_SEED,
)
from jointcore.statistics.statistic import CohortRun, statistic
from jointcore.statistics.vectors import exact_mean

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Gate:
    """One criterion: its value, the threshold, how they are compared and the outcome.

    ``note`` says if the value is undefined, an exact bound, or of one task; an undefined value never passes, nor does
    one task.
    """

    name: str
    value: float
    rule: str
    threshold: float
    passed: bool
    note: str = ""


def non_inferiority(ci_low: float, margin: float = NON_INFERIORITY_MARGIN) -> Gate:
    """Lower end of the interval of the behavior difference stays above minus the margin."""
    return _gate("behavior is not inferior (interval's lower end)", ci_low, ">", -margin)


def exact_lower_bound(difference: float, tasks: int) -> float:
    """Exact lower 97.5% bound of a difference of two shares when every one of the tasks shows the same difference.

    A bootstrap of equal values has no width, however few they are. With none of ``tasks`` pairs for the second alone,
    its share is at most ``u = 1 - 0.025 ** (1 / tasks)`` (Clopper-Pearson).

    Args:
        difference: -1, 0 or 1, of each task.
        tasks: their number, at least 1.
    """
    u = 1.0 - ((1.0 - CONFIDENCE) / 2.0) ** (1.0 / tasks)
    return {0.0: -u, 1.0: 1.0 - 2.0 * u}.get(difference, -1.0)


def task_loss(singleton_mean: float, jointcore_mean: float) -> Gate:
    """Trajectory success lost against the singleton method is at most 0.02."""
    loss = singleton_mean - jointcore_mean
    return _gate("task loss against the singleton", loss, "<=", LARGEST_TASK_LOSS)


def evaluation_reduction(singleton_mean: float, jointcore_mean: float) -> Gate:
    """Share of the singleton method's evaluations that JointCore saves is at least 0.15."""
    name = "evaluation reduction against the singleton"
    if singleton_mean == 0.0:
        note = "undefined: the singleton method asked nothing"
        return Gate(name, math.nan, ">=", LEAST_EVALUATION_REDUCTION, False, note)
    share = (singleton_mean - jointcore_mean) / singleton_mean
    return _gate(name, share, ">=", LEAST_EVALUATION_REDUCTION)


def savings(jointcore_mean: float) -> Gate:
    """JointCore's mean savings are at least 0.5."""
    return _gate("savings of JointCore", jointcore_mean, ">=", LEAST_SAVINGS)


def model_gates(
    frame: pd.DataFrame | ModelFrame, *, seed: int = STUDY_SEED, replicates: int = BOOTSTRAP_REPLICATES
) -> pd.DataFrame:
    """All gates of every model: columns model, gate, value, rule, threshold, passed, note.

    The behavior interval is the one that ``registered_tests`` reports, or :func:`exact_lower_bound` where that has no
    width.

    Raises:
        ValueError: an invalid frame, a missing method, unpaired tasks.
    """
    checked = ModelFrame.of(frame)
    rows = []
    for model in checked.models:
        pair = pair_methods(checked.cells, model, JOINTCORE, SINGLETON)
        for gate in _pair_gates(pair, seed, replicates):
            rows.append(
                {
                    "model": model,
                    "gate": gate.name,
                    "value": gate.value,
                    "rule": gate.rule,
                    "threshold": gate.threshold,
                    "passed": gate.passed,
                    "note": gate.note,
                }
            )
    return pd.DataFrame(rows)


def _pair_gates(pair: MethodPair, seed: int, replicates: int) -> list[Gate]:
    def means(measure: str) -> tuple[float, float]:
        jointcore, singleton = pair.values(measure)
        return exact_mean(jointcore), exact_mean(singleton)

    behavior = pair_effect(pair, "behavioral_sufficiency", seed=seed, replicates=replicates)
    success, success_singleton = means("trajectory_success")
    asked, asked_singleton = means("intervention_count")
    saved, _ = means("active_token_savings")
    tasks = behavior.pairs
    if behavior.ci_low == behavior.ci_high:
        bounded = non_inferiority(exact_lower_bound(behavior.difference, tasks))
        first = replace(bounded, note=f"exact bound of {tasks} equal tasks, of which a bootstrap interval has no width")
    else:
        first = non_inferiority(behavior.ci_low)
    gates = [
        first,
        task_loss(success_singleton, success),
        evaluation_reduction(asked_singleton, asked),
        savings(saved),
    ]
    if tasks == 1:
        return [replace(gate, passed=False, note=gate.note or "one task is no evidence") for gate in gates]
    return gates


def _gate(name: str, value: float, rule: str, threshold: float) -> Gate:
    """Compare with a tolerance of 1e-12, so that rounding decides no boundary case."""
    if np.isnan(value):
        return Gate(name, value, rule, threshold, False, "undefined: no value to compare")
    passed = {
        ">": value > threshold + _ROUNDING,
        ">=": value >= threshold - _ROUNDING,
        "<=": value <= threshold + _ROUNDING,
    }[rule]
    return Gate(name, value, rule, threshold, bool(passed))


@statistic("gates", 30)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return model_gates(run.primary, replicates=run.replicates)
