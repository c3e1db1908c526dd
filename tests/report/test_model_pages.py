"""The front page and the tables of what ran where."""

import json

import pandas as pd
import pytest

from jointcore.report.front_page import front_page
from jointcore.report.run_tables import runtime_table, transfer_table
from jointcore.statistics.transfer_matrix import transfer_matrix
from paths import PUBLISHED
from report.model_cohort import LOCAL, REGISTERED, cohort_of, cohort_run

RECORD = {
    "shard": 0,
    "model": {"devices": ["cpu"], "load_seconds": 1.25, "peak_memory_mb": 700, "peak_gpu_memory_mb": []},
    "counts": {"distinct": 10, "store_hits": 3, "asked": 7},
    "questions": {"questions": 20, "distinct": 10, "invalid": 1},
    "versions": {"torch": "2.9", "transformers": "5.1"},
    "python": "3.11.2",
    "prompt_template_sha256": "ab" * 32,
    "git": {"commit": "c" * 40, "changed": True},
}


def page_of(run, transfer=False):
    record = json.loads((PUBLISHED / "exact_metrics.json").read_text())
    return front_page(
        cohort=run.cohort,
        statistics=run.statistics,
        runtime={model: [RECORD] for model in run.cohort.models},
        exact={"metrics": record["metrics"], "families": {}, "methods": []},
        comparison=pd.DataFrame({"verdict": ["identical", "not run", "not run"]}),
        registry={key: name for key, (name, _) in {**REGISTERED, **LOCAL}.items()},
        benchmark={"exact": {"seed_base": 11}, "model": {"seed_base": 22}},
        transfer=transfer,
    )


def test_front_page_of_a_part_of_the_cohort():
    page = page_of(cohort_run("registered", 2))
    assert "2 models decided 18 tasks each with 8 methods" in page
    assert "Seeds: 11 (exact stage), 22 (model stage), 26082999" in page
    assert "a reduced family" in page
    assert "3 printed figures: 1 identical, 2 not run." in page
    assert "Mistral" in page.split("What was not run</h2>")[1]
    assert "Qwen" not in page.split("What was not run</h2>")[1]
    assert "Cross-model transfer" in page
    assert "PyTorch 2.9, Transformers 5.1" in page
    assert "local demonstration" not in page


def test_front_page_of_a_demonstration_lists_the_whole_cohort_as_not_run():
    page = page_of(cohort_run("local"), transfer=True)
    assert "What was run, and what to conclude (local demonstration)" in page
    missing = page.split("What was not run</h2>")[1]
    assert all(name in missing for name, _ in REGISTERED.values())
    assert "Cross-model transfer" not in missing


def test_a_claim_that_fails_is_shown_as_failing():
    run = cohort_run("registered", 1)
    changed = run.statistics["pool"].copy()
    rows = (changed["measure"] == "intervention_count") & (changed["second"] == "conditional_singleton_cost")
    changed.loc[rows, ["mean", "ci_low", "ci_high"]] = [9.0, 8.0, 10.0]
    run_again = type(run)(cohort=run.cohort, statistics={**run.statistics, "pool": changed})
    assert page_of(run_again).count('class="bad">does not hold') == page_of(run).count('class="bad">does not hold') + 1
    assert 'class="bad">JointCore loses</td>' in page_of(run), "at n = 8 it asks more than the singleton"


def test_runtime_table_has_a_row_a_shard():
    cohort = cohort_of("registered", dict(list(REGISTERED.items())[:2]))
    table = runtime_table({"qwen25_14b": [RECORD, {"shard": 1}], "gemma4_12b_it": [RECORD]}, cohort)
    shown = table.shown()
    assert list(shown["Shard"]) == ["0", "1", "0"]
    assert shown["Commit"][0] == "c" * 10 + " (edited)"
    assert shown["From the store"][0].startswith("3")
    counts = shown.loc[0, ["Distinct prompts", "From the store", "Asked"]].astype(float)
    assert counts.iloc[0] == counts.iloc[1] + counts.iloc[2]
    assert list(shown.iloc[1])[3] == "–"


def test_transfer_matrix_and_its_table():
    rows = [
        (source, target, "jointcore_cost_ordered", source == target or i > 0, True, source == target)
        for source in ("tiny_a", "tiny_b")
        for target in ("tiny_a", "tiny_b")
        for i in range(4)
    ]
    columns = ["source", "target", "method", "behavior_retained", "final_decision_correct", "reused"]
    frame = pd.DataFrame(rows, columns=columns)
    matrix = transfer_matrix(frame)
    assert list(matrix["behavior_retained"]) == [1.0, 0.75, 0.75, 1.0]
    assert list(matrix["reused"]) == [True, False, False, True]
    shown = transfer_table(matrix, cohort_of("local", LOCAL)).shown()
    assert list(shown["Behavior, Tiny A"]) == ["1.000", "0.750"]
    with pytest.raises(ValueError, match="'tiny_b' selected .* were not decided by 'tiny_a'"):
        transfer_matrix(frame[frame["source"] + frame["target"] != "tiny_btiny_a"])
