"""Paired sign-flip test on the mean (paper, section "Statistics": savings and evaluations)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jointcore.statistics.registration import SIGN_FLIP_DRAWS
from jointcore.statistics.vectors import exact_mean, finite_vector

_TIE_TOLERANCE = 1e-12
_BLOCK = 2_000_000


@dataclass(frozen=True)
class SignFlipResult:
    """Observed mean difference, number of extreme draws and the Monte Carlo p-value."""

    mean: float
    pairs: int
    extreme: int
    draws: int
    p_value: float


def sign_flip_test(differences: ArrayLike, *, seed: int, draws: int = SIGN_FLIP_DRAWS) -> SignFlipResult:
    """Two-sided paired sign-flip test: are the differences symmetric about zero?

    Each draw gives every difference an independent random sign. A draw is extreme when the
    absolute value of its mean is at least that of the observed mean, where sums closer than
    1e-12 of the sum of absolute differences count as tied. p = (extreme + 1) / (draws + 1).
    Under random signs only the absolute differences matter; they are sorted before the draws,
    so p depends neither on the order of the pairs nor on which side is called first. If all
    differences are zero, or there is one pair only, every draw is extreme and p = 1.

    Args:
        differences: one difference a pair, shape ``(n,)``, any unit.
        seed: seed of the draws; the same seed gives the same p.
        draws: number of random sign vectors, at least 1.

    Raises:
        ValueError: no difference, a difference that is not finite, or ``draws`` below 1.
    """
    vector = finite_vector(differences, "differences")
    if draws < 1:
        raise ValueError(f"draws is {draws}; ask for at least 1 draw.")
    sizes = np.sort(np.abs(vector))
    total = math.fsum(sizes)
    observed = abs(math.fsum(vector.tolist()))
    threshold = observed - _TIE_TOLERANCE * total

    rng = np.random.default_rng(seed)
    extreme = 0
    block = max(1, _BLOCK // sizes.size)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        flipped = rng.integers(0, 2, size=(rows, sizes.size), dtype=np.int8).astype(np.float64)
        sums = total - 2.0 * (flipped @ sizes)
        extreme += int(np.count_nonzero(np.abs(sums) >= threshold))
    return SignFlipResult(
        mean=exact_mean(vector),
        pairs=vector.size,
        extreme=extreme,
        draws=draws,
        p_value=(extreme + 1) / (draws + 1),
    )
