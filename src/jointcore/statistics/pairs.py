"""Pairs of methods on the same tasks of one model, and their effect on one measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from jointcore.hashing import stable_seed
from jointcore.statistics.effects import PairedEffect, paired_effect
from jointcore.statistics.frame import Cells, require_measure
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES


@dataclass(frozen=True)
class MethodPair:
    """Rows of two methods of one model; row i of both belongs to the same task."""

    model: str
    first: str
    second: str
    first_rows: pd.DataFrame
    second_rows: pd.DataFrame

    @property
    def tasks(self) -> NDArray[np.object_]:
        """Task of each pair, ascending."""
        return self.first_rows["paper_task_id"].to_numpy(dtype=object)

    def values(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """Both methods' values of ``measure``, shape ``(tasks,)`` each."""
        return self.first_rows[measure].to_numpy(), self.second_rows[measure].to_numpy()


def pair_methods(cells: Cells, model: str, first: str, second: str) -> MethodPair:
    """The two methods' rows on the model's tasks.

    Raises:
        ValueError: the model or a method has no rows, or a task has only one of the methods.
    """
    methods = [method for name, method in cells if name == model]
    if not methods:
        raise ValueError(f"Model {model!r} has no rows; run it or leave it out.")
    for method in (first, second):
        if method not in methods:
            raise ValueError(
                f"Method {method!r} has no rows for model {model!r}; run it there, since the comparison is paired."
            )
    a, b = cells[model, first], cells[model, second]
    only = set(a["paper_task_id"]).symmetric_difference(b["paper_task_id"])
    if only:
        raise ValueError(
            f"Model {model!r} has {len(only)} tasks with only one of {first!r} and {second!r}, "
            f"such as {min(only)!r}; run both methods on every task."
        )
    return MethodPair(model, first, second, a, b)


def pair_effect(pair: MethodPair, measure: str, *, seed: int, replicates: int = BOOTSTRAP_REPLICATES) -> PairedEffect:
    """Effect of ``pair`` on ``measure``: difference first minus second, interval, effect size.

    The bootstrap's seed hashes the study seed, model, measure and the two methods in name order.
    So the interval is the same whatever else is in the frame, and exchanging the methods mirrors
    it.

    Raises:
        ValueError: ``measure`` is no measure of the model frame.
    """
    boolean = require_measure(measure)
    first, second = pair.values(measure)
    return paired_effect(
        first,
        second,
        pair.tasks,
        boolean=boolean,
        seed=bootstrap_seed(seed, pair.model, measure, (pair.first, pair.second)),
        replicates=replicates,
    )


def comparison_seed(seed: int, purpose: str, model: str, measure: str, methods: Iterable[str]) -> int:
    """Seed of one comparison: a hash of what identifies it and of nothing else."""
    return stable_seed(seed, purpose, model, measure, *sorted(methods))


def bootstrap_seed(seed: int, model: str, measure: str, methods: Iterable[str]) -> int:
    """Seed of the resampling of a comparison."""
    return comparison_seed(seed, "bootstrap", model, measure, methods)


def effect_columns(effect: PairedEffect) -> dict[str, object]:
    """The columns that every table of comparisons shares; ``tasks`` are all tasks, ``undefined`` those left out."""
    return {
        "tasks": effect.pairs + effect.undefined,
        "undefined": effect.undefined,
        "mean_first": effect.mean_first,
        "mean_second": effect.mean_second,
        "difference": effect.difference,
        "ci_low": effect.ci_low,
        "ci_high": effect.ci_high,
        "effect_name": effect.effect_name,
        "effect": effect.effect,
        "effect_note": effect.effect_note,
        "first_only": pd.NA if effect.first_only is None else effect.first_only,
        "second_only": pd.NA if effect.second_only is None else effect.second_only,
    }
