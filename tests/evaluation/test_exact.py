"""The exact stage over the whole benchmark hashes to the published digest."""

import json

from jointcore.evaluation.exact import evaluate_tasks
from jointcore.evaluation.exact_storage import SCHEMA, read_outcomes, read_traces, write_outcomes
from jointcore.hashing import canonical_json, sha256
from jointcore.report.exact_comparison import reproduced_digest
from jointcore.selection.catalogue import choose_methods, load_method
from jointcore.statistics.exact_means import COLUMNS, combine_methods, method_means
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from paths import PUBLISHED, SPEC, needs_spec

DIGEST = "f61ee49ae6c3e4cb9b18de5bf05538be442336c8e6ba82bedd618e7eff2736e5"
SETTINGS = {"budget": 4, "cap": 256}


def test_published_digest(tmp_path):
    tasks = list(generate_tasks(Grid()))
    means = {}
    methods = choose_methods("study")
    for method in methods:
        path = tmp_path / f"{method.slug}.parquet"
        write_outcomes(path, tmp_path / "traces.parquet", evaluate_tasks(method, tasks, SETTINGS))
        means[method.slug] = method_means(read_outcomes(path, COLUMNS))
    run = {"methods": [method.description() for method in methods], "metrics": combine_methods(means)}
    record = json.loads((PUBLISHED / "exact_metrics.json").read_text())
    assert record["record_sha256"] == DIGEST
    assert reproduced_digest(record, run) == DIGEST
    assert run["metrics"] == record["metrics"]


def test_the_published_record_hashes_to_its_own_digest():
    record = json.loads((PUBLISHED / "exact_metrics.json").read_text())
    assert sha256(canonical_json({k: v for k, v in record.items() if k != "record_sha256"})) == DIGEST


@needs_spec
def test_the_published_figures_are_those_of_the_specification():
    record, paper = (SPEC / "published" / name for name in ("exact_metrics.json", "paper.json"))
    assert (PUBLISHED / record.name).read_bytes() == record.read_bytes()
    given, ours = json.loads(paper.read_text()), json.loads((PUBLISHED / paper.name).read_text())
    assert {key: ours[key] for key in given} == given, "further figures of the text stand beside these"


def test_outcomes_and_traces_are_complete(tmp_path):
    tasks = list(generate_tasks(Grid(candidate_counts=(8,), seed_blocks=(0,))))
    method = load_method("jointcore_cost_ordered")
    paths = [tmp_path / "a.parquet", tmp_path / "traces.parquet"]
    assert write_outcomes(*paths, evaluate_tasks(method, tasks, SETTINGS)) == len(tasks)
    rows = [row for batch in read_outcomes(paths[0]) for row in batch.to_pylist()]
    assert list(rows[0]) == SCHEMA.names
    assert [row["paper_task_id"] for row in rows] == [task.question.id for task in tasks]
    traces = [row for batch in read_traces(paths[1]) for row in batch.to_pylist()]
    for row, trace in zip(rows, traces, strict=True):
        assert row["intervention_count"] == len(trace["tested"]) == len(trace["same"])
        kept = set(range(8))
        for group, dropped, same, tested in zip(
            trace["group"], trace["dropped"], trace["same"], trace["tested"], strict=True
        ):
            assert tested == bytes([sum(1 << i for i in kept) & ~group[0]])
            assert dropped == (group if same else b"\0")
            kept -= {i for i in range(8) if dropped[0] >> i & 1}
        assert sorted(kept) == row["selected"]


def test_same_bytes_again(tmp_path):
    tasks = list(generate_tasks(Grid(candidate_counts=(8,), seed_blocks=(0,))))
    method = load_method("jointcore_legacy")
    for name in ("a", "b"):
        write_outcomes(tmp_path / name, tmp_path / f"{name}t", evaluate_tasks(method, tasks, SETTINGS))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "at").read_bytes() == (tmp_path / "bt").read_bytes()
