"""CMI's three tables, recomputed from the recorded numbers: by method, by family and method, by role.

Means are taken over questions (macro), as published. Where nothing is selected precision is 0; where a question has no
harmful memory adoption is 0, so that adoption cannot exceed the share of questions that have one.
"""

from __future__ import annotations

import pandas as pd

from jointcore.statistics.cmi.records import METHODS, ROLES, TOP_K, WHOLE_BANK, Records
from jointcore.statistics.vectors import exact_mean

#: Column of a table to its name, in the order of the published table and with what it leaves out at the end.
MEASURES = {
    "final": "Score",
    "passes": "Success",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "bad_rejection": "Bad rejection",
    "irrelevant_rejection": "Irrelevant rejection",
    "adoption": "Adoption of harmful memories",
    "selected": "Memories selected",
    "deterministic": "Deterministic score",
    "judge": "Judge's score",
}


def with_selected(records: Records) -> pd.DataFrame:
    """The scores with ``family`` and ``selected``, how many memories a method selected.

    CMI's selections are recorded; full history and summary count as the whole bank, as published; the other baselines
    select three.
    """
    questions = records.questions.set_index("question_id")
    chosen = records.interventions.groupby("question_id")["selected"].sum()
    bank = questions[list(ROLES)].sum(axis=1)

    def selected(question: str, method: str) -> int:
        if method == "cmi":
            return int(chosen.get(question, 0))
        if method in WHOLE_BANK:
            return int(bank[question])
        return 0 if method == "no_memory" else min(TOP_K, int(bank[question]))

    pairs = zip(records.scores["question_id"], records.scores["method"], strict=True)
    return records.scores.assign(
        family=records.scores["question_id"].map(questions["family"]),
        selected=[selected(*pair) for pair in pairs],
    )


def by_method(records: Records) -> pd.DataFrame:
    """Table 1: a row a method, ``questions`` and the mean of every measure."""
    return _means(with_selected(records), ["method"])


def by_family(records: Records) -> pd.DataFrame:
    """Table 2: a row a family (in alphabetical order) and method, ``questions`` and the mean of every measure."""
    return _means(with_selected(records), ["family", "method"])


def by_role(records: Records) -> pd.DataFrame:
    """Table 3: a row a role, ``candidates``, mean ``utility`` and ``stability``, and how many were ``selected``."""
    rows = []
    for role in ROLES:
        part = records.interventions[records.interventions["role"] == role]
        means = {column: exact_mean(part[column]) for column in ("utility", "stability")}
        rows.append({"role": role, "candidates": len(part), **means, "selected": int(part["selected"].sum())})
    return pd.DataFrame(rows)


def _means(scores: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    order = {method: place for place, method in enumerate(METHODS)}
    groups = sorted(scores.groupby(keys), key=lambda group: (*group[0][:-1], order[group[0][-1]]))
    return pd.DataFrame(
        {
            **dict(zip(keys, key, strict=True)),
            "questions": len(part),
            **{measure: exact_mean(part[measure]) for measure in MEASURES},
        }
        for key, part in groups
    )


def memory_counts(records: Records) -> dict[str, int]:
    """How many ``questions`` and ``memories`` there are, and how many memories of each role."""
    roles = {role: int(records.questions[role].sum()) for role in ROLES}
    return {"questions": len(records.questions), "memories": sum(roles.values()), **roles}
