"""Task-cluster percentile bootstrap of a mean (paper, section "Statistics": 95% intervals)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, CONFIDENCE
from jointcore.statistics.vectors import FloatVector, exact_mean, finite_vector

_BLOCK = 1_000_000
_EQUAL = 1e-12


@dataclass(frozen=True)
class Interval:
    """A mean with its percentile interval; ``clusters`` is the number of resampled units."""

    mean: float
    low: float
    high: float
    clusters: int
    replicates: int


def cluster_bootstrap(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    seed: int,
    weights: ArrayLike | None = None,
    replicates: int = BOOTSTRAP_REPLICATES,
    confidence: float = CONFIDENCE,
) -> Interval:
    """Percentile interval of a (weighted) mean by resampling whole clusters.

    Each replicate draws as many clusters as there are, with replacement, takes all rows of each
    drawn cluster and computes their mean; the interval's ends are the ``(1 ± confidence) / 2``
    quantiles of the replicates, with linear interpolation. Clusters are put in label order and
    rows in value order first, so the order of the rows does not matter. With one cluster, or
    clusters that all have the same mean, the interval is ``[mean, mean]``.

    Args:
        values: shape ``(n,)``, any unit.
        clusters: labels, shape ``(n,)``: the task of each row. None: every row is a task of its
            own, in the order given.
        seed: seed of the resampling.
        weights: positive weights, shape ``(n,)``; None weighs all rows the same.
        replicates: number of bootstrap replicates, at least 1.
        confidence: in the open interval (0, 1).

    Raises:
        ValueError: no value, a value that is not finite, unequal lengths, a weight that is not
            positive, or ``replicates`` or ``confidence`` out of range.
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence is {confidence}; choose a value between 0 and 1.")
    drawn = cluster_means(values, clusters, seed=seed, weights=weights, replicates=replicates)
    low, high = drawn.ends(confidence)
    return Interval(drawn.mean, low, high, drawn.clusters, replicates)


@dataclass(frozen=True, eq=False)
class Replicates:
    """A mean, the mean of each bootstrap replicate, and the number of resampled units."""

    mean: float
    means: FloatVector
    clusters: int

    def ends(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The ``(1 ± confidence) / 2`` quantiles; the mean itself where all replicates are equal."""
        if np.ptp(self.means) == 0.0:
            return self.mean, self.mean
        tail = (1.0 - confidence) / 2.0
        low, high = np.quantile(self.means, [tail, 1.0 - tail])
        return float(low), float(high)


def cluster_means(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    seed: int,
    weights: ArrayLike | None = None,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> Replicates:
    """The replicates behind :func:`cluster_bootstrap`, whose arguments these are.

    Raises:
        ValueError: see :func:`cluster_bootstrap`.
    """
    x = finite_vector(values, "values")
    w = np.ones_like(x) if weights is None else finite_vector(weights, "weights")
    if replicates < 1:
        raise ValueError(f"replicates is {replicates}; ask for at least 1 replicate.")
    if w.size != x.size:
        raise ValueError(f"weights has {w.size} values and values {x.size}; pass one a row.")
    if np.any(w <= 0.0):
        raise ValueError(f"weights holds {w.min()}; pass positive weights only.")
    sums, sizes = _cluster_totals(x, w, clusters)

    mean = exact_mean(x) if weights is None else math.fsum(sums) / math.fsum(sizes)
    scale = max(float(np.abs(x).max()), np.finfo(float).tiny)
    if np.ptp(sums / sizes) <= _EQUAL * scale:
        return Replicates(mean, np.full(replicates, mean), sums.size)
    return Replicates(mean, _replicates(sums, sizes, replicates, np.random.default_rng(seed)), sums.size)


def _cluster_totals(x: FloatVector, w: FloatVector, clusters: ArrayLike | None) -> tuple[FloatVector, FloatVector]:
    """Weighted sum and total weight of each cluster, in label order."""
    if clusters is None:
        return x * w, w
    labels = np.asarray(clusters)
    if labels.shape != x.shape:
        raise ValueError(f"clusters has {labels.size} labels and values {x.size} rows; pass one label a row.")
    names, members = np.unique(labels, return_inverse=True)
    order = np.lexsort((w, x, members))
    members, x, w = members[order], x[order], w[order]
    return (
        np.bincount(members, weights=x * w, minlength=names.size),
        np.bincount(members, weights=w, minlength=names.size),
    )


def _replicates(sums: FloatVector, sizes: FloatVector, replicates: int, rng: np.random.Generator) -> FloatVector:
    """The mean of each replicate, drawn in blocks that bound the memory."""
    count = sums.size
    equal = bool(np.all(sizes == sizes[0]))
    block = max(1, _BLOCK // count)
    parts = []
    for start in range(0, replicates, block):
        drawn = rng.integers(0, count, size=(min(block, replicates - start), count))
        total = sums[drawn].sum(axis=1)
        parts.append(total / (count * sizes[0] if equal else sizes[drawn].sum(axis=1)))
    return np.concatenate(parts)
