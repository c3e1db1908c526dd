"""Published beside reproduced: every kind of verdict, and no figure taken from the published ones."""

import copy
import json

import pytest

from jointcore.report.exact_comparison import compare_exact_stage, reproduced_digest
from jointcore.report.verdicts import AS_PRINTED, DIFFERS, IDENTICAL, NOT_APPLICABLE, NOT_RUN, Figure
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.families import FAMILIES
from paths import PUBLISHED


@pytest.fixture(scope="module")
def published():
    names = {"record": "exact_metrics", "paper": "paper", "settings": "settings"}
    return {key: json.loads((PUBLISHED / f"{name}.json").read_text()) for key, name in names.items()}


@pytest.fixture
def run(published):
    """A run that gives the published aggregates; the worked example holds JointCore only."""
    printed = published["paper"]["worked_example"]
    found = printed["jointcore_cost_ordered"]
    steps = [
        {"group": list(range(size)), "dropped": [0] if i in found["deletions_at"] else []}
        for i, size in enumerate(found["group_sizes"], 1)
    ]
    return {
        "metrics": {
            "methods": [method.description() for method in choose_methods("study")],
            "families": {slug: schema.name for slug, schema in FAMILIES.items()},
            "metrics": copy.deepcopy(published["record"]["metrics"]),
        },
        "example": {
            "condition": printed["condition"],
            "full_cost": 82,
            "methods": [{**found, "slug": "jointcore_cost_ordered", "steps": steps}],
        },
    }


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("", "", 0.5, 0.5), IDENTICAL),
        (Figure("", "", 0.933, 0.93287, 3), AS_PRINTED),
        (Figure("", "", 0.933, 0.9335, 3), AS_PRINTED),
        (Figure("", "", 0.933, 0.9336, 3), DIFFERS),
        (Figure("", "", 0.933, 0.93287), DIFFERS),
        (Figure("", "", None, None), IDENTICAL),
        (Figure("", "", None, 0.0), DIFFERS),
        (Figure("", "", [1, 2], [1, 3]), DIFFERS),
        (Figure("", "", 1.0, missing=True), NOT_RUN),
    ],
)
def test_verdicts(figure, verdict):
    assert figure.verdict() == verdict


def test_a_faithful_run_agrees_and_its_differences_are_named(published, run):
    found = compare_exact_stage(**published, **run, run_settings=published["settings"]["exact"])
    frame = found.frame.set_index(["place", "what"])["verdict"]
    assert (frame["Aggregate record"] == IDENTICAL).all()
    assert len(frame["Aggregate record"]) == 8 * 8 * 14
    assert frame["Table 1", "jointcore_legacy: savings"] == AS_PRINTED
    assert frame["Table 4 and Figure 1", "cost of full memory"] == DIFFERS
    assert frame["Table 4 and Figure 1", "exact_oracle: records"] == NOT_RUN
    assert frame["Table 4 and Figure 1", "jointcore_cost_ordered: group_sizes"] == IDENTICAL
    assert found.digests == {
        "published": published["record"]["record_sha256"],
        "reproduced": published["record"]["record_sha256"],
        "equal": True,
        "applies": True,
    }
    assert "do not apply" not in found.page


def test_one_bit_changes_the_digest_and_the_verdict(published, run):
    import math

    means = run["metrics"]["metrics"]["overall"]["random_b"]
    means["cost_gap"] = math.nextafter(means["cost_gap"], 9)
    found = compare_exact_stage(**published, **run, run_settings=published["settings"]["exact"])
    assert not found.digests["equal"]
    rows = found.frame[found.frame["verdict"] == DIFFERS]
    assert "overall random_b: cost_gap" in set(rows["what"])


def test_another_benchmark_is_not_compared(published, run):
    settings = copy.deepcopy(published["settings"]["exact"])
    settings["benchmark"]["grid"]["seed_base"] += 1
    found = compare_exact_stage(**published, **run, run_settings=settings)
    assert set(found.frame["verdict"]) == {NOT_APPLICABLE, NOT_RUN}
    assert not found.digests["applies"]
    assert "The published figures do not apply" in found.page


def test_the_digest_uses_no_published_figure(published, run):
    """With every published figure wiped out, the digest from this run's figures is still the same."""
    wiped = {**published["record"], "metrics": {}, "method_records": 0, "task_count": 0}
    assert reproduced_digest(wiped, run["metrics"]) == published["record"]["record_sha256"]


def test_methods_beyond_the_study_do_not_enter_the_digest(published, run):
    run["metrics"]["methods"].append({"slug": "mine", "name": "Mine", "study": False, "extension": ""})
    run["metrics"]["metrics"]["overall"]["mine"] = {"records": 5}
    assert reproduced_digest(published["record"], run["metrics"]) == published["record"]["record_sha256"]


def test_a_missing_method_is_not_run(published, run):
    del run["metrics"]["metrics"]["overall"]["random_b"]
    found = compare_exact_stage(**published, **run, run_settings=published["settings"]["exact"])
    frame = found.frame.set_index(["place", "what"])["verdict"]
    assert frame["Table 1", "random_b: savings"] == NOT_RUN
    assert not found.digests["equal"]
