"""The last word of a job, and its progress lines."""

import io
import logging
import sys
import time

import pytest

from jointcore.errors import InputError, sentence
from jointcore.logs import job_log
from jointcore.progress import Pace, progress


def test_bad_input_ends_with_one_sentence(tmp_path, capsys):
    with pytest.raises(SystemExit) as end, job_log(tmp_path / "logs" / "job.log"):
        raise InputError("x.parquet is damaged; delete it")
    assert end.value.code == 1
    assert capsys.readouterr().err == "Error: x.parquet is damaged; delete it.\n"
    log = (tmp_path / "logs" / "job.log").read_text()
    assert "x.parquet is damaged; delete it" in log
    assert "Traceback" not in log


def test_a_defect_leaves_its_traceback_in_the_log(tmp_path, capsys):
    with pytest.raises(SystemExit), job_log(tmp_path / "job.log"):
        raise KeyError("boom")
    assert "KeyError: 'boom' (traceback in" in capsys.readouterr().err
    assert "Traceback" in (tmp_path / "job.log").read_text()


def test_progress_passes_items_on_and_logs_plain_lines(tmp_path):
    with job_log(tmp_path / "job.log"):
        assert list(progress(iter("abcdefghijklmnopqrstu"), 21, "letters")) == list("abcdefghijklmnopqrstu")
    lines = [line.split(" INFO ")[1] for line in (tmp_path / "job.log").read_text().splitlines()]
    assert lines[0] == "letters: 2 of 21"
    assert lines[-1] == "letters: 21 of 21"
    assert len(lines) == 11
    assert not logging.getLogger().handlers or all(
        getattr(h, "baseFilename", "") != str(tmp_path / "job.log") for h in logging.getLogger().handlers
    )


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_a_terminal_shows_a_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    for _ in progress(range(3), 3, "tasks"):
        time.sleep(0.15)
    assert "tasks:  67%" in sys.stderr.getvalue()
    assert "2/3" in sys.stderr.getvalue()


def test_no_bar_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(progress(range(3), 3, "tasks")) == [0, 1, 2]
    assert sys.stderr.getvalue() == ""


def test_a_sentence_that_ends_as_a_question_gets_no_full_stop():
    assert sentence(InputError("x is unknown; did you mean y?")) == "x is unknown; did you mean y?"
    assert sentence(InputError("x is damaged; delete it")) == "x is damaged; delete it."


def test_a_slow_loop_speaks_once_a_minute(caplog, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pace = Pace(240, "questions")
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            now[0] += 31
            pace.advance()
    assert caplog.messages == ["questions: 2 of 240", "questions: 4 of 240"]


def test_a_fast_loop_speaks_at_every_tenth_and_at_the_end(caplog):
    pace = Pace(25, "questions")
    with caplog.at_level(logging.INFO):
        for items in (10, 0, 14, 1):
            pace.advance(items)
    assert caplog.messages == ["questions: 10 of 25", "questions: 24 of 25", "questions: 25 of 25"]
