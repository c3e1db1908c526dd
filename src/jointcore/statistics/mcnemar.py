"""Exact McNemar test for paired booleans (paper, section "Statistics": behavioral sufficiency)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from statsmodels.stats.contingency_tables import mcnemar

from jointcore.statistics.vectors import boolean_vector


@dataclass(frozen=True)
class McNemarResult:
    """Counts of the four kinds of pair and the exact two-sided p-value."""

    both: int
    first_only: int
    second_only: int
    neither: int
    p_value: float

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def discordant(self) -> int:
        """Number of pairs whose two values differ; the test rests on these alone."""
        return self.first_only + self.second_only


def exact_mcnemar(first: ArrayLike, second: ArrayLike) -> McNemarResult:
    """Exact two-sided McNemar test of paired booleans.

    Under the null hypothesis each discordant pair falls on either side with probability one
    half; p is twice the smaller binomial tail, at most 1. Without a discordant pair nothing
    speaks against the null hypothesis and p is defined as 1.

    Args:
        first: booleans, shape ``(n,)``.
        second: booleans, shape ``(n,)``, ``second[i]`` paired with ``first[i]``.

    Raises:
        ValueError: no pairs, unequal lengths, or values that are not booleans.
    """
    a = boolean_vector(first, "first")
    b = boolean_vector(second, "second")
    if a.size != b.size:
        raise ValueError(f"first has {a.size} values and second {b.size}; pass one value of each a pair.")
    both = int(np.count_nonzero(a & b))
    first_only = int(np.count_nonzero(a & ~b))
    second_only = int(np.count_nonzero(~a & b))
    neither = a.size - both - first_only - second_only
    if first_only + second_only == 0:
        p_value = 1.0
    else:
        table = [[both, first_only], [second_only, neither]]
        p_value = min(1.0, float(mcnemar(table, exact=True).pvalue))
    return McNemarResult(both, first_only, second_only, neither, p_value)
