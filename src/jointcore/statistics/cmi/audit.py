"""What the recorded numbers say that the publication does not: each finding a row with its number."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from jointcore.statistics.cmi.metrics import count_metrics
from jointcore.statistics.cmi.records import METHODS, ROLES, Records
from jointcore.statistics.vectors import exact_mean

#: Ways to select a candidate: whether its utility, its stability and the filter of gold roles count.
RULES: Mapping[str, tuple[bool, bool, bool]] = {
    "as published": (True, True, True),
    "without the role filter": (True, True, False),
    "without stability": (True, False, True),
    "utility alone": (True, False, False),
}
_SHOWN = ("precision", "recall", "f1", "adoption", "selected")


def selected_by(records: Records, rule: str) -> pd.Series:
    """Whether a rule of :data:`RULES` selects each candidate: utility above 0, stability at least 0, not harmful."""
    utility, stability, roles = RULES[rule]
    trials = records.interventions
    chosen = pd.Series(True, index=trials.index)
    if utility:
        chosen &= trials["utility"] > 0
    if stability:
        chosen &= trials["stability"] >= 0
    if roles:
        chosen &= trials["role"] != "harmful"
    return chosen


def rule_metrics(records: Records, rule: str) -> dict[str, float]:
    """The memory metrics of a rule, means over questions."""
    trials = records.interventions[selected_by(records, rule)]
    counts = trials.groupby(["question_id", "role"]).size()
    found = [
        count_metrics(
            {role: int(counts.get((question, role), 0)) for role in ROLES},
            dict(zip(ROLES, bank, strict=True)),
        )
        for question, *bank in records.questions[["question_id", *ROLES]].itertuples(index=False)
    ]
    return {name: exact_mean([each[name] for each in found]) for name in found[0]}


def audit(records: Records) -> pd.DataFrame:
    """A row a finding: ``finding``, ``value``, and ``of``, out of how many it was counted (NaN for a mean)."""
    scores, trials, questions = records.scores, records.interventions, records.questions
    rows: list[tuple[str, float, float]] = []
    empty = scores["judged"] == 0
    rows.append(("judgements that are empty and count 0", int(empty.sum()), len(scores)))
    for method, name in METHODS.items():
        of = scores["method"] == method
        rows.append((f"{name}: judgements that are empty", int((empty & of).sum()), int(of.sum())))
    for method, name in METHODS.items():
        part = scores[scores["method"] == method]
        fair = part["final"].where(part["judged"] == 1, part["deterministic"])
        what = f"{name}: score, questions with an empty judgement scored by the deterministic part alone"
        rows.append((what, exact_mean(fair), float("nan")))
    harmful = trials["role"] == "harmful"
    passing = int((harmful & selected_by(records, "without the role filter")).sum())
    rows.append(("harmful candidates that pass both tests", passing, int(harmful.sum())))
    for rule in RULES:
        found = rule_metrics(records, rule)
        rows += [(f"CMI {rule}: {measure}", found[measure], float("nan")) for measure in _SHOWN]
    differing = int((selected_by(records, "as published") != (trials["selected"] == 1)).sum())
    rows.append(("candidates whose recorded selection is not what the rule gives", differing, len(trials)))
    with_harmful = int((questions["harmful"] > 0).sum())
    rows.append(("questions that have a harmful memory", with_harmful, len(questions)))
    rows.append(("largest adoption that is possible", with_harmful / len(questions), float("nan")))
    return pd.DataFrame(rows, columns=["finding", "value", "of"])
