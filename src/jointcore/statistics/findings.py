"""What a run says of the paper's claims, of this project's own, and where JointCore loses.

Each finding is a difference, its interval where something was sampled, and one of three outcomes. A claim is a claim
only if the paper (or, for what it adds, this project) makes it: the paper declines exact sufficiency as uniform over
the models, so that is none. Where nothing is claimed, only losses are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from jointcore.evaluation.measure_catalogue import EXACT_MEASURES, MEASURES
from jointcore.statistics.pool import ALL_FAMILIES
from jointcore.statistics.registration import JOINTCORE, NON_INFERIORITY_MARGIN, SINGLETON

HOLDS, FAILS, INDISTINGUISHABLE = "holds", "does not hold", "indistinguishable"
#: A difference for the worse about which nothing was claimed.
LOSES = "JointCore loses"
#: How an outcome is set off on a page.
OUTCOME_MARKS = {HOLDS: "good", FAILS: "bad", LOSES: "bad"}
PAPER, PROJECT, NOBODY = "the paper", "this project", ""

ANCHORED = "jointcore_anchored"
_EXACT, _MODEL, _STRESS = "Exact stage", "Model stage", "Stress"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of one method against another.

    Attributes:
        words: as a reader sees it.
        strict: better is claimed; else no worse than by ``margin``.
        margin: in the measure's unit.
    """

    words: str
    strict: bool = False
    margin: float = 0.0

    def outcome(self, better: int, low: float, high: float, sampled: bool = True) -> str:
        """Whether the claim holds, given the interval of the difference.

        Args:
            better: 1 if more of the measure is better, -1 if less is.
            low, high: the interval; both the difference itself where nothing was sampled.
            sampled: whether the difference could have come out otherwise.
        """
        worst, best = (low, high) if better > 0 else (-high, -low)
        if worst > _ROUNDING if self.strict else worst >= -self.margin - _ROUNDING:
            return HOLDS
        return FAILS if best < -self.margin - _ROUNDING or not sampled else INDISTINGUISHABLE


_MORE, _FEWER, _NO_LESS = Claim("more", strict=True), Claim("fewer", strict=True), Claim("at least as much")
#: Claims on the exact stage: of JointCore against the singleton, and of the anchored search against JointCore.
_EXACT_CLAIMS = {"exact_sufficiency": _NO_LESS, "valid_minimum_set": _NO_LESS, "intervention_count": _FEWER}
#: Claims on the model stage. Behavior is claimed within the margin of the gate alone.
_MODEL_CLAIMS = {
    "behavioral_sufficiency": Claim(f"at most {NON_INFERIORITY_MARGIN:g} less", margin=NON_INFERIORITY_MARGIN),
    "valid_minimum_set": _MORE,
    "active_token_savings": _MORE,
    "intervention_count": _FEWER,
}
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    Attributes:
        place: the stage.
        group: which of its conditions or models: n, a family's name, a model's key, a level; empty for all.
        measure: the measure.
        first, second: the compared methods.
        claim: what is said of the first against the second; empty if nothing is.
        by: who says so.
        mean_first, mean_second, difference: means and first minus second.
        ci_low, ci_high: interval of the difference; NaN where nothing was sampled, as in the exact stage.
        outcome: see above.
        note: what the outcome does not show; empty if nothing.
    """

    place: str
    group: str
    measure: str
    first: str
    second: str
    claim: str
    by: str
    mean_first: float
    mean_second: float
    difference: float
    ci_low: float
    ci_high: float
    outcome: str
    note: str = ""


def exact_findings(metrics: Mapping[str, Any]) -> pd.DataFrame:
    """Findings of the exact stage (content of ``results/exact/metrics.json``): its conditions are all there are.

    JointCore against the singleton (the paper's claims) and the anchored search against JointCore (this project's), as
    far as the run has them, over all conditions; and where JointCore loses to the singleton, overall, by n or by
    family.
    """
    groups = metrics["metrics"]
    overall = groups["overall"]
    found = []
    for first, second, by in ((JOINTCORE, SINGLETON, PAPER), (ANCHORED, JOINTCORE, PROJECT)):
        if first in overall and second in overall:
            for measure, claim in _EXACT_CLAIMS.items():
                found.append(_exact("", measure, first, second, overall, claim, by))
    titles = metrics["families"]
    parts = {
        "": overall,
        **{f"n = {n}": means for n, means in groups["by_candidate_count"].items()},
        **{titles.get(family, family): means for family, means in groups["by_family"].items()},
    }
    for group, means in parts.items():
        claimed = {} if group else _EXACT_CLAIMS
        for key in EXACT_MEASURES:
            if JOINTCORE in means and SINGLETON in means and key not in claimed:
                finding = _exact(group, key, JOINTCORE, SINGLETON, means)
                found += [finding] if finding is not None and finding.outcome == LOSES else []
    return _frame(found)


def model_findings(statistics: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Findings of the model stage of a cohort: the family-weighted differences of the pool, and every model's losses.

    Args:
        statistics: the statistics of the cohort, see ``jointcore.statistics.cohort_statistics``.
    """
    pool = statistics["pool"]
    whole = pool[pool["family"] == ALL_FAMILIES]
    means = {(row.measure, row.first): row.mean for row in whole[whole["second"] == ""].itertuples()}
    found = []
    for row in whole[whole["second"] == SINGLETON].itertuples():
        group = f"{row.models} model{'s' if row.models > 1 else ''}"
        terms = means.get((row.measure, JOINTCORE)), means.get((row.measure, SINGLETON))
        if row.measure in _MODEL_CLAIMS:
            found.append(_model(group, row.measure, terms, row, _MODEL_CLAIMS[row.measure]))
        elif _loses(row.measure, row.ci_low, row.ci_high):
            found.append(_model(group, row.measure, terms, row))
    comparisons = statistics["comparisons"]
    pair = comparisons[(comparisons["first"] == JOINTCORE) & (comparisons["second"] == SINGLETON)]
    for row in pair.itertuples():
        if _loses(row.measure, row.ci_low, row.ci_high):
            found.append(_model(row.model, row.measure, (row.mean_first, row.mean_second), row))
    return _frame(found)


def stress_findings(means: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Findings of the stress experiments: at every level, what the anchored search asks against JointCore.

    Args:
        means: experiment to its means (see ``jointcore.statistics.stress_means``); those without both methods give no
            finding.
    """
    found = []
    for experiment, rows in means.items():
        part = rows[(rows["grouping"] == ALL_FAMILIES) & rows["method"].isin([ANCHORED, JOINTCORE])]
        for (level, budget, noise), both in part.groupby(["level", "budget", "noise"], sort=False):
            by_method = both.set_index("method")["evaluations"]
            if len(by_method) == 2:
                ours, other = float(by_method[ANCHORED]), float(by_method[JOINTCORE])
                found.append(
                    Finding(
                        _STRESS,
                        _stress_group(experiment, level, budget, noise),
                        "intervention_count",
                        ANCHORED,
                        JOINTCORE,
                        _FEWER.words,
                        PROJECT,
                        ours,
                        other,
                        ours - other,
                        float("nan"),
                        float("nan"),
                        _FEWER.outcome(-1, ours - other, ours - other, sampled=False),
                        f"mean over {seeds} seeds of the noise" if (seeds := int(both["seeds"].max())) > 1 else "",
                    )
                )
    return _frame(found)


def outcome_counts(findings: pd.DataFrame) -> str:
    """How often each outcome occurs, in words."""
    return ", ".join(f"{count} {kind}" for kind, count in findings["outcome"].value_counts(sort=False).items())


def _exact(
    group: str,
    measure: str,
    first: str,
    second: str,
    means: Mapping[str, Any],
    claim: Claim | None = None,
    by: str = NOBODY,
) -> Finding | None:
    column = MEASURES[measure].record_key or measure
    ours, other = means[first][column], means[second][column]
    if ours is None or other is None:
        return None
    difference = ours - other
    nan, better = float("nan"), MEASURES[measure].better
    if claim:
        reached = claim.outcome(better, difference, difference, sampled=False)
    else:
        reached = LOSES if _loses(measure, difference, difference) else ""
    words = claim.words if claim else ""
    return Finding(_EXACT, group, measure, first, second, words, by, ours, other, difference, nan, nan, reached)


def _loses(measure: str, low: float, high: float) -> bool:
    """Whether the whole interval of a difference is on the worse side."""
    better = MEASURES[measure].better
    return (better > 0 and high < -_ROUNDING) or (better < 0 and low > _ROUNDING)


def _model(
    group: str, measure: str, terms: tuple[float | None, float | None], row: Any, claim: Claim | None = None
) -> Finding:
    ours, other = (float("nan") if term is None else float(term) for term in terms)
    difference = float(getattr(row, "difference", getattr(row, "mean", float("nan"))))
    by, words = (PAPER, claim.words) if claim else (NOBODY, "")
    reached = claim.outcome(MEASURES[measure].better, row.ci_low, row.ci_high) if claim else LOSES
    notes = []
    if row.ci_low == row.ci_high:
        notes.append("the interval has no width, so it says nothing of other tasks")
    if measure == "behavioral_sufficiency" and ours == other == 1.0:
        notes.append("with a deterministic judge and no invalid answer this cannot fail, by the way both searches work")
    low, high, note = row.ci_low, row.ci_high, "; ".join(notes)
    means = ours, other, difference, low, high
    return Finding(_MODEL, group, measure, JOINTCORE, SINGLETON, words, by, *means, reached, note)


def _stress_group(experiment: str, level: str, budget: Any, noise: str) -> str:
    if experiment == "decisions":
        return f"error rate of decisions {level}"
    part = {"budgets": f"B = {budget}, ", "counts": "larger memories, "}.get(experiment, "")
    return f"{part}noise on relevance {noise}"


def _frame(found: Iterable[Finding | None]) -> pd.DataFrame:
    return pd.DataFrame(list(_rows(found)), columns=[field.name for field in fields(Finding)])


def _rows(found: Iterable[Finding | None]) -> Iterator[dict[str, Any]]:
    yield from (asdict(finding) for finding in found if finding is not None)
