"""Findings: three outcomes, claims only where someone makes them, and losses listed."""

import json

import pandas as pd
import pytest

from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.findings import (
    ANCHORED,
    FAILS,
    HOLDS,
    INDISTINGUISHABLE,
    LOSES,
    PAPER,
    PROJECT,
    Claim,
    exact_findings,
    model_findings,
    stress_findings,
)
from jointcore.tasks.families import FAMILIES
from paths import PUBLISHED

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"


@pytest.mark.parametrize(
    ("claim", "better", "low", "high", "found"),
    [
        (Claim("more", strict=True), 1, 0.01, 0.03, HOLDS),
        (Claim("more", strict=True), 1, -0.001, 0.004, INDISTINGUISHABLE),
        (Claim("more", strict=True), 1, 0.0, 0.0, INDISTINGUISHABLE),
        (Claim("more", strict=True), 1, -0.03, -0.01, FAILS),
        (Claim("fewer", strict=True), -1, -6.3, -5.7, HOLDS),
        (Claim("fewer", strict=True), -1, 0.1, 0.2, FAILS),
        (Claim("at most 0.05 less", margin=0.05), 1, -0.04, 0.01, HOLDS),
        (Claim("at most 0.05 less", margin=0.05), 1, -0.06, 0.01, INDISTINGUISHABLE),
        (Claim("at most 0.05 less", margin=0.05), 1, -0.09, -0.06, FAILS),
    ],
)
def test_three_outcomes(claim, better, low, high, found):
    assert claim.outcome(better, low, high) == found


def test_where_nothing_was_sampled_equal_is_not_more():
    assert Claim("fewer", strict=True).outcome(-1, 0.0, 0.0, sampled=False) == FAILS
    assert Claim("at least as much").outcome(1, 0.0, 0.0, sampled=False) == HOLDS


@pytest.fixture(scope="module")
def metrics():
    record = json.loads((PUBLISHED / "exact_metrics.json").read_text())
    return {
        "metrics": record["metrics"],
        "families": {slug: schema.name for slug, schema in FAMILIES.items()},
        "methods": [method.description() for method in choose_methods("study")],
    }


def test_the_exact_stage_of_the_paper(metrics):
    found = exact_findings(metrics)
    claimed = found[found["by"] == PAPER].set_index("measure")
    assert claimed["outcome"].to_dict() == dict.fromkeys(
        ("exact_sufficiency", "valid_minimum_set", "intervention_count"), HOLDS
    )
    assert claimed.loc["intervention_count", "difference"] == pytest.approx(11.12674 - 30, abs=1e-5)
    lost = found[found["outcome"] == LOSES].set_index(["group", "measure"])
    assert ("n = 8", "intervention_count") in lost.index
    assert lost.loc[("n = 8", "intervention_count"), "difference"] == pytest.approx(0.11, abs=0.005)
    assert ("n = 16", "intervention_count") not in lost.index


def test_the_anchored_search_is_a_claim_of_this_project(metrics):
    overall = metrics["metrics"]["overall"]
    better = {**overall[JOINTCORE], "intervention_count": 4.92}
    run = {**metrics, "metrics": {**metrics["metrics"], "overall": {**overall, ANCHORED: better}}}
    found = exact_findings(run)
    anchored = found[found["first"] == ANCHORED].set_index("measure")
    assert set(anchored["by"]) == {PROJECT}
    assert set(anchored["outcome"]) == {HOLDS}
    worse = {**run["metrics"], "overall": {**overall, ANCHORED: {**better, "exact_sufficiency": 0.99}}}
    found = exact_findings({**run, "metrics": worse})
    assert found.set_index(["first", "measure"]).loc[(ANCHORED, "exact_sufficiency"), "outcome"] == FAILS


def model_statistics(savings, recall=(0.0, -0.1, 0.1)):
    """Pool and comparisons with one interval for savings (mean, low, high) and one for critical recall."""
    intervals = {
        "behavioral_sufficiency": (0.0, 0.0, 0.0),
        "active_token_savings": savings,
        "intervention_count": (-6.0, -6.3, -5.7),
        "exact_sufficiency": (-0.01, -0.02, -0.005),
        "critical_recall": recall,
    }
    pool, pairs = [], []
    for measure, (mean, low, high) in intervals.items():
        pool.append((measure, JOINTCORE, SINGLETON, "all", mean, low, high, 4))
        pool += [
            (measure, method, "", "all", 1.0 + add, 1, 1, 4) for method, add in ((JOINTCORE, mean), (SINGLETON, 0))
        ]
        pairs.append(("m", measure, JOINTCORE, SINGLETON, 1.0 + mean, 1.0, mean, low, high))
    columns = ["measure", "first", "second", "family", "mean", "ci_low", "ci_high", "models"]
    names = ["model", "measure", "first", "second", "mean_first", "mean_second", "difference", "ci_low", "ci_high"]
    return {"pool": pd.DataFrame(pool, columns=columns), "comparisons": pd.DataFrame(pairs, columns=names)}


def test_a_difference_that_could_be_nothing_is_indistinguishable():
    found = model_findings(model_statistics((0.001, -0.0001, 0.0048)))
    claimed = found[found["by"] == PAPER].set_index("measure")
    assert claimed["outcome"].to_dict() == {
        "behavioral_sufficiency": HOLDS,
        "active_token_savings": INDISTINGUISHABLE,
        "intervention_count": HOLDS,
    }
    assert "cannot fail" in claimed.loc["behavioral_sufficiency", "note"]
    assert "no width" in claimed.loc["behavioral_sufficiency", "note"]


def test_exact_sufficiency_is_no_claim_but_its_loss_is_listed():
    found = model_findings(model_statistics((0.02, 0.01, 0.03), recall=(-0.05, -0.06, -0.04)))
    unclaimed = found[found["by"] == ""]
    assert set(unclaimed["outcome"]) == {LOSES}
    assert set(unclaimed["measure"]) == {"exact_sufficiency", "critical_recall"}
    assert {"4 models", "m"} == set(unclaimed["group"])
    kept = model_findings(model_statistics((0.02, 0.01, 0.03)))
    assert "critical_recall" not in set(kept["measure"])


def test_stress_findings_say_where_the_anchored_search_stops_asking_less():
    rows = [
        (method, level, 4, level, "all", evaluations, 3)
        for level, pair in {"0": (4.9, 11.1), "shuffle": (11.4, 11.3)}.items()
        for method, evaluations in zip((ANCHORED, JOINTCORE), pair, strict=True)
    ]
    means = pd.DataFrame(rows, columns=["method", "level", "budget", "noise", "grouping", "evaluations", "seeds"])
    found = stress_findings({"relevance": means, "budgets": means[means["method"] == JOINTCORE]})
    assert found["group"].tolist() == ["noise on relevance 0", "noise on relevance shuffle"]
    assert found["outcome"].tolist() == [HOLDS, FAILS]
    assert "3 seeds" in found["note"][0]
