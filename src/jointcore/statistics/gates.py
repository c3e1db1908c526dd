"""The four gates of the study, per model (paper, section "Statistics")."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.pairs import MethodPair, pair_effect, pair_methods
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    JOINTCORE,
    LARGEST_TASK_LOSS,
    LEAST_EVALUATION_REDUCTION,
    LEAST_SAVINGS,
    NON_INFERIORITY_MARGIN,
    SINGLETON,
    STUDY_SEED,
)
from jointcore.statistics.vectors import exact_mean

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Gate:
    """One criterion: its value, the threshold, how they are compared and the outcome.

    ``note`` is empty unless the value is undefined; an undefined value never passes.
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

    The behavior interval is the one that ``registered_tests`` reports.

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
    return [
        non_inferiority(behavior.ci_low),
        task_loss(success_singleton, success),
        evaluation_reduction(asked_singleton, asked),
        savings(saved),
    ]


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
