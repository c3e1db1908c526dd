"""The lines of a run: short, one when a job starts and one when it has ended."""

import logging
from enum import Enum

import pytest

from jointcore.run_output import ShortLines


class Event(Enum):
    """Snakemake's events, by the values that it gives them."""

    JOB_INFO = "job_info"
    JOB_STARTED = "job_started"
    JOB_FINISHED = "job_finished"
    PROGRESS = "progress"
    JOB_ERROR = "job_error"


def record(event=None, message="", **extra):
    found = logging.makeLogRecord({"msg": message, "event": event, **extra})
    if event is None:
        del found.event
    return found


def test_values_are_snakemake_s():
    common = pytest.importorskip("snakemake_interface_logger_plugins.common")
    assert all(common.LogEvent[event.name].value == event.value for event in Event)


def test_a_job_takes_two_lines():
    said = []
    lines = ShortLines(said.append)
    started = record(Event.JOB_INFO, "a paragraph", jobid=3, rule_name="evaluate_exact", wildcards={"method": "ddmin"})
    for each in (
        record(None, "Select jobs to execute..."),
        record(Event.JOB_STARTED, "Execute 1 jobs..."),
        started,
        record(Event.JOB_FINISHED, "Finished jobid: 3", job_id=3),
        record(Event.PROGRESS, None, done=2, total=3),
    ):
        assert not lines.filter(each)
    assert [line.partition("] ")[2] for line in said] == [
        "starts: evaluate_exact ddmin",
        "2 of 3 steps (66%) done: evaluate_exact ddmin (0 s)",
    ]


def test_errors_and_all_else_pass():
    lines = ShortLines(pytest.fail)
    assert lines.filter(record(Event.JOB_ERROR, "Error in rule x"))
    assert lines.filter(record(None, "Building DAG of jobs..."))


def test_jobs_of_a_group_end_in_one_line():
    said = []
    lines = ShortLines(said.append)
    for job in (1, 2):
        lines.filter(record(Event.JOB_INFO, "", jobid=job, rule_name=f"rule_{job}", wildcards={}))
    for job in (1, 2):
        lines.filter(record(Event.JOB_FINISHED, "", job_id=job))
    lines.filter(record(Event.PROGRESS, None, done=2, total=2))
    assert said[-1].endswith("2 of 2 steps (100%) done: rule_1 (0 s), rule_2 (0 s)")
    assert len(said) == 3
