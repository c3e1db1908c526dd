"""CMI against each baseline, question by question: what the publication lacks."""

from __future__ import annotations

import pandas as pd

from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.cmi.audit import audit
from jointcore.statistics.cmi.records import METHODS, Records
from jointcore.statistics.cmi.replay import by_family, by_method, by_role
from jointcore.statistics.holm import holm
from jointcore.statistics.mcnemar import exact_mcnemar
from jointcore.statistics.pairs import comparison_seed
from jointcore.statistics.registration import BOOTSTRAP_REPLICATES, STUDY_SEED
from jointcore.statistics.sign_flip import sign_flip_test

#: Measures that are compared; ``fair`` is the score with empty judgements left out.
MEASURES = ("final", "fair", "passes", "f1", "adoption")


def paired_tests(records: Records, *, replicates: int = BOOTSTRAP_REPLICATES) -> pd.DataFrame:
    """A row a baseline and measure: CMI minus the baseline over the questions.

    Columns: ``baseline``, ``measure``, ``test`` (exact McNemar for ``passes``, else a paired sign-flip test on the
    mean, both two-sided), ``questions``, ``mean_cmi``, ``mean_baseline``, ``difference``, ``ci_low``, ``ci_high`` (95%,
    bootstrap over questions), ``p_raw``, ``p_adjusted`` (Holm over all rows).
    """
    scores = records.scores.assign(
        fair=records.scores["final"].where(records.scores["judged"] == 1, records.scores["deterministic"])
    ).astype({"passes": float})
    tables = {measure: scores.pivot(index="question_id", columns="method", values=measure) for measure in MEASURES}
    rows = []
    for baseline in METHODS:
        if baseline == "cmi":
            continue
        for measure in MEASURES:
            ours, theirs = tables[measure]["cmi"], tables[measure][baseline]
            differences = (ours - theirs).to_numpy()
            seeds = {
                purpose: comparison_seed(STUDY_SEED, purpose, baseline, measure, ("cmi", baseline))
                for purpose in ("bootstrap", "sign-flip")
            }
            interval = cluster_bootstrap(differences, seed=seeds["bootstrap"], replicates=replicates)
            if measure == "passes":
                test, p = "exact McNemar", exact_mcnemar(ours.astype(bool), theirs.astype(bool)).p_value
            else:
                test, p = "sign-flip", sign_flip_test(differences, seed=seeds["sign-flip"]).p_value
            rows.append(
                {
                    "baseline": baseline,
                    "measure": measure,
                    "test": test,
                    "questions": len(differences),
                    "mean_cmi": ours.mean(),
                    "mean_baseline": theirs.mean(),
                    "difference": interval.mean,
                    "ci_low": interval.low,
                    "ci_high": interval.high,
                    "p_raw": p,
                }
            )
    frame = pd.DataFrame(rows)
    return frame.assign(p_adjusted=holm(frame["p_raw"]))


def cmi_statistics(records: Records) -> dict[str, pd.DataFrame]:
    """Every table of the replay by its name: ``by_method``, ``by_family``, ``by_role``, ``audit`` and ``tests``."""
    return {
        "by_method": by_method(records),
        "by_family": by_family(records),
        "by_role": by_role(records),
        "audit": audit(records),
        "tests": paired_tests(records),
    }
