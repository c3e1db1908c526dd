"""A run ends itself at its deadline, or when its jobs are lost, and says so."""

import os
import subprocess
import sys

import pytest

from jointcore.run_bounds import slurm_queue
from paths import PROJECT

# A process that waits for ever, as an executor does that has lost its jobs.
WAITS = """
import itertools, sys, time
from jointcore import run_bounds
run_bounds.PAUSE, run_bounds.GRACE = 0.05, 0.5
looks = iter(eval(sys.argv[1]))
over = lambda: {over}
{start}
while True:
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        {interrupted}
"""
LOST = "run_bounds.end_when_lost(0.005, lambda: next(looks), over)"


def wait(start, looks="[]", interrupted="sys.exit(7)", seconds=60, prefix=(), over="False"):
    text = WAITS.format(start=start, interrupted=interrupted, over=over)
    return subprocess.run(
        [*prefix, sys.executable, "-c", text, looks],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
    )


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param((), id="in the terminal"),
        pytest.param(("sh", "-c", 'trap "" INT; exec "$@"', "sh"), id="in the background"),
    ],
)
def test_a_deadline_ends_a_run_as_ctrl_c_does(prefix):
    done = wait("run_bounds.end_after(0.2 / 3600, over)", prefix=prefix)
    assert done.returncode == 7
    assert "Error: the run has reached its deadline of 5.55556e-05 h; its jobs are cancelled. Run the" in done.stderr


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param("[1] + [0] * 99", id="its job left the queue"),
        pytest.param("[0] * 9 + [2, 1, None, None] + [0] * 99", id="the queue was silent in between"),
    ],
)
def test_a_run_whose_jobs_are_lost_ends(looks):
    done = wait(LOST, looks)
    assert done.returncode == 7
    assert "none of this run's jobs has been in the queue for 0.005 min, and the executor still waits" in done.stderr


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param("itertools.repeat(0)", id="nothing was submitted"),
        pytest.param("itertools.repeat(1)", id="a job is there"),
        pytest.param("itertools.chain([1], itertools.repeat(None))", id="the queue is silent"),
        pytest.param("itertools.cycle([1, 0])", id="jobs come and go"),
    ],
)
def test_a_run_that_may_still_be_at_work_goes_on(looks):
    with pytest.raises(subprocess.TimeoutExpired):
        wait(LOST, looks, seconds=2)


@pytest.mark.parametrize("start", [LOST, "run_bounds.end_after(0.2 / 3600, over)"])
def test_a_run_that_is_over_is_not_ended(start):
    """Its queue is empty because all steps are done, however long the executor takes to let go."""
    with pytest.raises(subprocess.TimeoutExpired) as still:
        wait(start, "[1] + [0] * 99", seconds=2, over="True")
    assert b"Error" not in (still.value.stderr or b"")


def test_a_run_that_cannot_end_itself_is_ended():
    done = wait("run_bounds.end_after(0.2 / 3600, over)", interrupted="pass")
    assert done.returncode == 1
    assert "the cluster has not let go for 0.5 s" in done.stderr
    assert "Run snakemake once with --unlock" in done.stderr


@pytest.mark.parametrize(("answer", "jobs"), [("echo {here}; echo /elsewhere", 1), ("true", 0), ("exit 1", None)])
def test_the_queue_counts_the_jobs_of_one_folder(tmp_path, monkeypatch, answer, jobs):
    squeue = tmp_path / "squeue"
    squeue.write_text(f"#!/bin/sh\n{answer.format(here=tmp_path)}\n")
    squeue.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert slurm_queue(tmp_path) == jobs


def test_a_machine_without_slurm_is_silent(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert slurm_queue(tmp_path) is None
