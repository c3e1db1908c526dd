"""The workflow itself on a small grid: contract, same bytes, mistakes, kills, report, module."""

import json
import os
import signal
import subprocess
import time

import pandas as pd
import pytest

from jointcore.selection.catalogue import choose_methods
from workflow.checkout import SMOKE, Checkout

pytestmark = pytest.mark.slow

COLUMNS = [
    "paper_task_id",
    "domain",
    "family",
    "candidate_count",
    "support_size",
    "horizon_label",
    "seed_block",
    "selected",
    "exact_sufficiency",
    "valid_minimum_set",
    "critical_recall",
    "active_token_savings",
    "cost_gap",
    "intervention_count",
    "budget_exhausted",
]


def test_outcomes_keep_the_contract(finished):
    tasks = pd.read_parquet(finished.folder / "results/benchmark/exact.parquet")
    for method in choose_methods("all"):
        frame = pd.read_parquet(finished.folder / f"results/exact/{method.slug}.parquet")
        assert list(frame.columns) == COLUMNS
        assert list(frame["paper_task_id"]) == list(tasks["paper_task_id"])


def test_the_run_says_that_published_figures_do_not_apply(finished):
    digests = json.loads((finished.folder / "results/comparison/exact_digest.json").read_text())
    assert digests["applies"] is False
    assert digests["equal"] is False
    assert "do not apply" in (finished.folder / "results/comparison/exact.html").read_text()


def test_same_bytes_on_one_core(finished, tmp_path):
    again = Checkout.create(tmp_path / "project")
    again.run(*SMOKE, cores=1)
    assert again.digests() == finished.digests()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("selection: {budgt: 3}", "config key selection/budgt is unknown; did you mean budget?"),
        ("methods: {exact: [best]}", "config key methods/exact: unknown method 'best'"),
        ("benchmark: {families: [xor]}", "config key benchmark/families names unknown xor"),
        ("benchmark: {exact: {candidate_counts: [1]}}", "benchmark/exact/candidate_counts holds 1, fewer records"),
    ],
)
def test_a_mistake_is_named_before_any_job_runs(finished, tmp_path, change, sentence):
    (tmp_path / "change.yaml").write_text(change)
    done = finished.run("--dry-run", "--configfile", "config/smoke.yaml", str(tmp_path / "change.yaml"), check=False)
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert sentence in output
    assert "Traceback" not in output
    assert "Building DAG" not in output


def test_a_truncated_file_is_named_and_made_again(edited, finished):
    path = edited.folder / "results/benchmark/exact.parquet"
    path.write_bytes(path.read_bytes()[:1000])
    done = edited.run(*SMOKE, "--forcerun", "evaluate_exact", check=False)
    sentence = "results/benchmark/exact.parquet is not a complete Parquet file"
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr
    path.unlink()
    edited.run(*SMOKE)
    assert edited.digests() == finished.digests()


def test_a_killed_job_leaves_nothing_half_done_and_the_next_run_completes(finished, tmp_path):
    checkout = Checkout.create(tmp_path / "project")
    # A grid that takes a while, so that the kill meets a job at work.
    (checkout.folder / "config/smoke.yaml").write_text(
        "benchmark: {exact: {candidate_counts: [16, 64], horizon_labels: [1, 4]}}\nmethods: {exact: study}\n"
    )
    target = "results/exact/conditional_singleton_cost.parquet"
    undisturbed = checkout.clone(tmp_path / "undisturbed")
    undisturbed.run(target, *SMOKE)
    run = subprocess.Popen(
        checkout.command(target, *SMOKE), cwd=checkout.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    partial = "results/exact/.conditional_singleton_cost.parquet.*.partial"
    deadline = time.monotonic() + 120
    while not list(checkout.folder.glob(partial)) and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert list(checkout.folder.glob(partial))
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        if _is_job_of(pid, checkout.folder):
            os.kill(pid, signal.SIGKILL)
    assert run.wait(timeout=120) != 0
    assert not (checkout.folder / target).exists()
    checkout.run(target, *SMOKE)
    assert checkout.digests() == undisturbed.digests()


def _is_job_of(pid: int, folder) -> bool:
    """Whether a process runs a rule's script in this folder."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            command = file.read().split(b"\0")
        return os.readlink(f"/proc/{pid}/cwd") == str(folder) and any(b"evaluate_exact.py" in part for part in command)
    except OSError:
        return False


def test_killed_head_continues_after_unlock(finished, tmp_path):
    checkout = Checkout.create(tmp_path / "project")
    run = subprocess.Popen(
        checkout.command(*SMOKE), cwd=checkout.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not list(checkout.folder.glob("results/exact/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    checkout.run(*SMOKE, "--unlock")
    checkout.run(*SMOKE)
    assert checkout.digests() == finished.digests()


def test_a_read_only_or_full_disk_is_named_and_the_next_run_completes(finished, tmp_path):
    checkout = Checkout.create(tmp_path / "project")
    results = checkout.folder / "results"
    results.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40k,ro", "none", str(results)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a file system is not allowed here")
    try:
        done = checkout.run(*SMOKE, check=False)
        assert done.returncode != 0
        assert "The folder results is read-only; make it writable" in done.stdout + done.stderr
        subprocess.run(["mount", "-o", "remount,rw", str(results)], check=True)
        done = checkout.run(*SMOKE, check=False)
        assert done.returncode != 0
        assert "the disk is full or over quota; free some space" in done.stdout + done.stderr
        subprocess.run(["mount", "-o", "remount,size=100m", str(results)], check=True)
        checkout.run(*SMOKE)
        assert checkout.digests() == finished.digests()
    finally:
        subprocess.run(["umount", "-l", str(results)], check=True)


def test_report_holds_the_paper_s_sections(edited):
    edited.run(*SMOKE, "--report", "report.html")
    page = (edited.folder / "report.html").read_text()
    for text in ("1 Exact stage", "2 Worked example", "3 Published and reproduced", "Table 1 by family"):
        assert text in page
    assert len(page) < 15_000_000


def test_runs_as_a_module_of_another_workflow(finished, tmp_path):
    (tmp_path / "Snakefile").write_text(
        f'''
module memory:
    snakefile: "{finished.folder}/Snakefile"
    config: config["memory"]

use rule * from memory as memory_*

rule everything:
    input: rules.memory_aggregate_exact.output
    default_target: True
'''
    )
    (tmp_path / "config.yaml").write_text(
        "memory:\n  benchmark: {domains: [orders], exact: {candidate_counts: [16], support_sizes: [2],"
        " horizon_labels: [1], seed_blocks: [0]}}\n  methods: {exact: [full_memory, jointcore_cost_ordered]}\n"
    )
    Checkout(tmp_path).run("--configfile", "config.yaml")
    metrics = json.loads((tmp_path / "results/exact/metrics.json").read_text())
    assert metrics["metrics"]["overall"]["jointcore_cost_ordered"]["exact_sufficiency"] == 1.0


def test_lint_is_clean(finished):
    assert "in a good condition" in "".join((d := finished.run("--lint")).stdout + d.stderr)
