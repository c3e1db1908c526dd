"""Holm's step-down adjustment over a family of tests (paper, section "Statistics")."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from statsmodels.stats.multitest import multipletests

from jointcore.statistics.vectors import FloatVector, finite_vector


def holm(p_values: ArrayLike) -> FloatVector:
    """Holm-adjusted p-values, in the order of the input.

    Adjusted values are monotone in the raw ones, never below them and at most 1. An empty family
    has an empty adjustment.

    Args:
        p_values: raw p-values, shape ``(m,)``, each in [0, 1].

    Raises:
        ValueError: a value that is NaN or outside [0, 1].
    """
    if np.size(p_values) == 0:
        return np.empty(0, dtype=np.float64)
    p = finite_vector(p_values, "p_values")
    if p.min() < 0.0 or p.max() > 1.0:
        worst = p.min() if p.min() < 0.0 else p.max()
        raise ValueError(f"p_values holds {worst}; p-values lie between 0 and 1.")
    return np.asarray(multipletests(p, method="holm")[1], dtype=np.float64)
