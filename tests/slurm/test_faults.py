"""What clusters do to jobs: nothing is lost, nothing is asked twice, and the results have the same bytes."""

import os
import signal
import subprocess
import time

import pytest

from jointcore.decisions.language_model import CHUNK
from slurm.study import MODEL

pytestmark = [pytest.mark.slow, pytest.mark.slurm]

#: A job of higher priority that takes both GPUs for some seconds.
URGENT = ("sbatch", "--parsable", "-p", "urgent", "--gpus=a100:2", "--mem=100", "-o", "/dev/null", "--wrap", "sleep 5")
LOST = "none of this run's jobs has been in the queue for 0.5 min, and the executor still waits for them"


def megabytes(study, job):
    """Main memory that a job asked for."""
    return study.cluster.show(job)["MinMemoryNode"]


@pytest.mark.parametrize("fault", ["scancel", "kill -9"])
def test_a_job_that_is_ended_is_tried_again_with_more(study, fault):
    head = study.head()
    job = study.asking(head)
    stored = len(study.answers())
    if fault == "scancel":
        study.cluster.command("scancel", job)
    else:
        os.kill(study.model_process(job), signal.SIGKILL)
    head.succeed()
    first, second = study.jobs()
    assert [megabytes(study, first), megabytes(study, second)] == ["2000M", "4000M"]
    assert study.cluster.show(first)["JobState"] == ("CANCELLED" if fault == "scancel" else "FAILED")
    assert 0 < stored < len(study.answers())
    study.check()


def test_a_job_at_its_time_limit_is_tried_again_with_more(study):
    head = study.head()
    job = study.asking(head)
    study.hold(job)
    study.cluster.command("scontrol", "update", f"jobid={job}", "TimeLimit=1")
    head.succeed()
    first, second = study.jobs()
    assert study.cluster.show(first)["JobState"] == "TIMEOUT"
    assert study.cluster.show(second)["TimeLimit"] == "01:00:00"
    study.check()


def test_a_job_out_of_memory_is_tried_again_with_more(study):
    study.site(more_resources={"run_model": {"gpu": 1, "mem_mb": "300 * 7 ** (attempt - 1)"}})
    head = study.head()
    head.succeed()
    first, second = study.jobs()
    assert [megabytes(study, first), megabytes(study, second)] == ["300M", "2100M"]
    assert study.cluster.show(first)["JobState"] in ("FAILED", "OUT_OF_MEMORY")
    logs = (study.folder / "logs/slurm").rglob(f"{first}.log")
    assert any("memory limit" in log.read_text() for log in logs)
    study.check()


def test_a_preempted_job_is_queued_again(study):
    head = study.head()
    job = study.asking(head)
    study.cluster.command(*URGENT)
    study.cluster.wait_for(lambda: study.cluster.show(job)["Restarts"] == "1", "the preemption")
    head.succeed()
    assert study.jobs() == [job]
    study.check()


def test_a_drained_node_keeps_jobs_waiting_until_it_is_back(study):
    node = f"nodename={study.cluster.host}"
    head = study.head()
    job = study.asking(head)
    study.cluster.command("scontrol", "update", node, "state=drain", "reason=test")
    try:
        study.cluster.command("scancel", job)
        study.cluster.wait_for(lambda: study.cluster.jobs("pending", "run_model"), "a second try in the queue")
        time.sleep(5)
        assert not study.cluster.jobs("running", "run_model")
    finally:
        study.cluster.command("scontrol", "update", node, "state=resume")
    head.succeed()
    study.check()


def test_a_controller_that_is_restarted_is_no_matter(study):
    head = study.head()
    study.asking(head)
    study.cluster.stop_daemon("slurmctld")
    study.cluster.start_controller()
    head.succeed()
    assert len(study.jobs()) == 1
    study.check()


def test_jobs_that_are_lost_while_the_controller_is_away_end_the_run(study):
    study.site(lost_minutes=0.5)
    head = study.head()
    study.asking(head)
    study.cluster.stop_daemon("slurmctld")
    time.sleep(60)
    assert head.process.poll() is None
    study.cluster.start_controller()
    # The job went on by itself. Whether the plugin looked for it meanwhile, and so lost it, is a matter of chance.
    if head.wait() != 0:
        assert LOST in head.text
        study.head().succeed()
    study.check()


def test_a_controller_that_stays_away_ends_the_run_at_its_deadline(study):
    study.site(deadline_hours=60 / 3600, status_attempts=600)
    head = study.head()
    study.asking(head)
    study.cluster.stop_daemon("slurmctld")
    try:
        assert head.wait() != 0
    finally:
        study.cluster.start_controller()
    assert "has reached its deadline" in head.text
    assert "Run snakemake once with --unlock" in head.text
    study.head("--unlock").succeed()
    study.site(deadline_hours=1)
    study.head().succeed()
    study.check()


def test_a_head_that_is_killed_leaves_its_job_and_the_next_submits_a_copy(study):
    head = study.head()
    job = study.asking(head)
    study.hold(job)
    os.kill(head.process.pid, signal.SIGKILL)
    head.process.wait()
    assert study.cluster.jobs("running", "run_model") == [job]
    locked = study.head()
    assert locked.wait() != 0
    assert "--unlock" in locked.text
    study.head("--unlock").succeed()
    head = study.head()
    study.cluster.wait_for(lambda: len(list((study.folder / MODEL).glob("decisions/*"))) == 2, "answers of a copy")
    # From here on both ask, and write the same files at the end.
    os.kill(study.model_process(job), signal.SIGCONT)
    head.succeed()
    assert "1 jobs of an earlier run from this folder are still in SLURM's queue" in head.text
    study.cluster.wait_for(lambda: not study.cluster.jobs("running"), "the end of the first job")
    assert {study.cluster.show(each)["JobState"] for each in study.jobs()} == {"COMPLETED"}
    assert len(study.jobs()) == 2
    # What was kept before is not asked again; what both found missing at once is.
    study.check(twice=len(study.answers()))


def test_a_second_head_is_refused_and_the_first_goes_on(study):
    first = study.head()
    study.asking(first)
    second = study.head()
    assert second.wait() != 0
    assert "cannot be locked" in second.text
    assert "--unlock" in second.text
    first.succeed()
    assert len(study.jobs()) == 1
    study.check()


def test_a_full_disk_is_named_and_the_next_run_continues(study):
    store = study.folder / MODEL / "decisions"
    store.mkdir(parents=True)
    study.site(retries=0)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", store], check=True)
    try:
        head = study.head()
        assert head.wait() != 0
        assert "is full" in head.text
        stored = len(study.answers())
        assert stored > 0
        subprocess.run(["mount", "-o", "remount,size=64m", store], check=True)
        study.head().succeed()
        study.check(twice=CHUNK)
    finally:
        subprocess.run(["umount", "--lazy", store], check=True)


def test_a_damaged_store_is_told_and_only_its_loss_is_asked_again(study):
    head = study.head()
    job = study.asking(head)
    study.hold(job)
    (segment,) = (study.folder / MODEL).glob("decisions/*")
    with open(segment, "r+b") as file:
        file.seek(12_000)
        file.write(b"\0" * 3_000)
    study.cluster.command("scancel", job)
    head.succeed()
    log = (study.folder / "logs/run_model/tiny_a/0.log").read_text()
    assert "damaged or incomplete records; these are decided again" in log
    study.check()


def test_a_job_that_is_preempted_by_cancelling_ends_the_run(study):
    # The plugin waits for such a job without end.
    study.site(gpu_partition="cancelled", lost_minutes=0.5)
    head = study.head()
    job = study.asking(head)
    study.cluster.command(*URGENT)
    study.cluster.wait_for(lambda: study.cluster.show(job)["JobState"] == "PREEMPTED", "the preemption")
    assert head.wait() != 0
    assert LOST in head.text
    study.site(gpu_partition="gpu")
    study.head().succeed()
    study.check()
