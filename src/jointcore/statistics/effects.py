"""Effect sizes of a paired comparison, with defined answers where a size is undefined."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, CONFIDENCE
from jointcore.statistics.vectors import FloatVector, boolean_vector, exact_mean

COHENS_DZ = "cohens_dz"
MATCHED_ODDS_RATIO = "matched_odds_ratio"
_EQUAL = 1e-12


@dataclass(frozen=True)
class PairedEffect:
    """A difference of means (first minus second) with its interval and effect size.

    ``pairs`` counts the pairs with both values defined, ``undefined`` those left out. An
    ``effect`` that is undefined is NaN, and ``effect_note`` says why. ``first_only`` and
    ``second_only`` count the discordant pairs of booleans and are None for numbers; for booleans
    ``difference`` is the risk difference.
    """

    pairs: int
    undefined: int
    mean_first: float
    mean_second: float
    difference: float
    ci_low: float
    ci_high: float
    effect_name: str
    effect: float
    effect_note: str
    first_only: int | None
    second_only: int | None


def cohens_dz(differences: ArrayLike, *, scale: float | None = None) -> tuple[float, str]:
    """Cohen's d_z: mean of the paired differences over their standard deviation (n - 1).

    Args:
        differences: shape ``(n,)``.
        scale: size of the compared values, against which a spread below 1e-12 is rounding noise;
            None takes the largest absolute difference.

    Returns:
        The size and an empty note, or NaN and the reason why it is undefined.
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.size == 0:
        return math.nan, "no pair has both values"
    if d.size == 1:
        return math.nan, "one pair has no spread"
    reference = float(np.abs(d).max()) if scale is None else scale
    if np.ptp(d) <= _EQUAL * reference:
        return math.nan, "all differences are equal"
    center = exact_mean(d)
    spread = math.sqrt(math.fsum((d - center) ** 2) / (d.size - 1))
    return center / spread, ""


def matched_odds_ratio(first_only: int, second_only: int) -> tuple[float, str]:
    """Conditional odds ratio of matched booleans: pairs with first alone over second alone.

    Returns:
        The ratio and an empty note, or NaN and the reason why it is undefined. With pairs on one side only the
        ratio is 0 or infinite, so that exchanging the two inverts it, and the note says so.
    """
    if first_only == 0 and second_only == 0:
        return math.nan, "no discordant pairs"
    if second_only == 0:
        return math.inf, "every discordant pair favours the first"
    if first_only == 0:
        return 0.0, "every discordant pair favours the second"
    return first_only / second_only, ""


def paired_effect(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    boolean: bool,
    seed: int,
    replicates: int = BOOTSTRAP_REPLICATES,
    confidence: float = CONFIDENCE,
) -> PairedEffect:
    """Difference of means, its task-cluster bootstrap interval and an effect size.

    Args:
        first: shape ``(n,)``; booleans, or numbers where NaN is an undefined value.
        second: as ``first``, paired with it.
        clusters: the task of each pair, shape ``(n,)``; None: one task a pair.
        boolean: whether the values are booleans (matched odds ratio) or numbers (Cohen's d_z).
        seed: seed of the bootstrap.

    Raises:
        ValueError: unequal lengths, or values of the wrong kind.
    """
    a, b = _numbers(first, "first", boolean), _numbers(second, "second", boolean)
    if a.shape != b.shape:
        raise ValueError(f"first has {a.size} values and second {b.size}; pass one value of each a pair.")
    defined = ~(np.isnan(a) | np.isnan(b))
    undefined = int(a.size - np.count_nonzero(defined))
    name = MATCHED_ODDS_RATIO if boolean else COHENS_DZ
    if not defined.any():
        note, nan = "no pair has both values", math.nan
        zero = 0 if boolean else None
        return PairedEffect(0, undefined, nan, nan, nan, nan, nan, name, nan, note, zero, zero)

    a, b = a[defined], b[defined]
    difference = a - b
    interval = cluster_bootstrap(
        difference,
        None if clusters is None else np.asarray(clusters)[defined],
        seed=seed,
        replicates=replicates,
        confidence=confidence,
    )
    first_only = second_only = None
    if boolean:
        first_only = int(np.count_nonzero(difference > 0))
        second_only = int(np.count_nonzero(difference < 0))
        effect, note = matched_odds_ratio(first_only, second_only)
    else:
        effect, note = cohens_dz(difference, scale=float(max(np.abs(a).max(), np.abs(b).max())))
    return PairedEffect(
        pairs=int(difference.size),
        undefined=undefined,
        mean_first=exact_mean(a),
        mean_second=exact_mean(b),
        difference=interval.mean,
        ci_low=interval.low,
        ci_high=interval.high,
        effect_name=name,
        effect=effect,
        effect_note=note,
        first_only=first_only,
        second_only=second_only,
    )


def _numbers(values: ArrayLike, name: str, boolean: bool) -> FloatVector:
    if boolean:
        return boolean_vector(values, name).astype(np.float64)
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or np.isinf(vector).any():
        raise ValueError(f"{name} is no one-dimensional array of finite or NaN values; write undefined values as NaN.")
    return vector
