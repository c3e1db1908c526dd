"""The target `stress` on a small grid, and the mistakes that it names before any job runs."""

import pandas as pd
import pytest

from workflow.checkout import SMOKE, Checkout

pytestmark = pytest.mark.slow

CHANGES = """
stress:
  methods: [quickxplain, jointcore_anchored, jointcore_cost_ordered]
  also: [sufficient_input_subsets]
  stride: 4
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    return Checkout.create(tmp_path_factory.mktemp("stress") / "project")


def test_it_makes_every_result_and_nothing_is_left_to_do(checkout):
    (checkout.folder / "change.yaml").write_text(CHANGES)
    arguments = ("stress", *SMOKE, "change.yaml")
    checkout.run(*arguments)
    results = checkout.folder / "results"
    means = {
        name: pd.read_csv(results / f"stress/{name}.csv") for name in ("relevance", "budgets", "counts", "decisions")
    }
    assert set(means["relevance"]["method"]) == {
        "quickxplain",
        "jointcore_anchored",
        "jointcore_cost_ordered",
        "sufficient_input_subsets",
    }
    assert set(means["counts"]["method"]) == {"quickxplain", "jointcore_anchored", "jointcore_cost_ordered"}
    assert set(means["counts"]["group"]) >= {"8", "32"}
    for figure in ("relevance", "budgets", "counts", "decisions", "decisions_by_family", "limits"):
        for ending in ("svg", "pdf", "csv"):
            assert (results / f"figures/stress/{figure}.{ending}").stat().st_size > 100
    found = pd.read_csv(results / "tables/stress_findings.csv")
    whole = means["relevance"].query("grouping == 'all'")
    least = whole[whole["level"] == whole["level"].iloc[0]].set_index("method")["evaluations"]
    assert found["difference"][0] == pytest.approx(least["jointcore_anchored"] - least["jointcore_cost_ordered"])
    assert set(found["first"]) == {"jointcore_anchored"}
    assert "Under stress" in (results / "tables/stress_findings.html").read_text()
    assert "Nothing to be done" in checkout.run(*arguments).stderr


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("stress: {methods: [best]}", "config key stress/methods or stress/also: unknown method 'best'"),
        ("stress: {also: [best]}", "config key stress/methods or stress/also: unknown method 'best'"),
        ("stress: {relevance: {noise: [loud]}}", "config key stress/relevance/noise/0"),
        ("stress: {decisions: {rates: [2]}}", "config key stress/decisions/rates/0"),
        ("stress: {decisions: {by_family: {xor: 0.1}}}", "stress/decisions/by_family names unknown xor"),
        ("stress: {counts: {grid: {candidate_counts: [1]}}}", "config key stress/counts/grid/candidate_counts holds 1"),
    ],
)
def test_a_mistake_is_named_before_any_job_runs(checkout, change, sentence):
    (checkout.folder / "mistake.yaml").write_text(change)
    done = checkout.run("stress", "--dry-run", *SMOKE, "mistake.yaml", check=False)
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr
    assert "Building DAG" not in done.stdout + done.stderr
