"""Checked one-dimensional arrays and a mean that no row order can change."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatVector = NDArray[np.float64]
BoolVector = NDArray[np.bool_]


def finite_vector(values: ArrayLike, name: str) -> FloatVector:
    """``values`` as a float64 vector of shape ``(n,)``, n of at least 1, all finite.

    Raises:
        ValueError: another shape, no value, or a value that is NaN or infinite.
    """
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} has {vector.ndim} dimensions; pass a one-dimensional array.")
    if vector.size == 0:
        raise ValueError(f"{name} is empty; pass at least one value.")
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        raise ValueError(f"{name} holds {vector[bad[0]]} at position {bad[0]}; drop undefined values before this call.")
    return vector


def boolean_vector(values: ArrayLike, name: str) -> BoolVector:
    """``values`` as a boolean vector of shape ``(n,)``, n of at least 1.

    Raises:
        ValueError: another shape, no value, or values that are not booleans.
    """
    vector = np.asarray(values)
    if vector.ndim != 1:
        raise ValueError(f"{name} has {vector.ndim} dimensions; pass a one-dimensional array.")
    if vector.size == 0:
        raise ValueError(f"{name} is empty; pass at least one value.")
    if vector.dtype != np.bool_:
        raise ValueError(f"{name} holds {vector.dtype} values; pass booleans.")
    return vector


def exact_mean(values: ArrayLike) -> float:
    """The correctly rounded sum of ``values`` over their number; NaN for no values.

    The sum is ``math.fsum``'s, so the result does not depend on the order of the values.
    """
    vector = np.asarray(values, dtype=np.float64)
    if vector.size == 0:
        return math.nan
    return math.fsum(vector.tolist()) / vector.size
