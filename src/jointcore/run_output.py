"""What a run prints on the terminal: a line when a job starts, a line when it has ended, and what it found."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

#: Events of Snakemake that these lines stand for, and its words about its own choosing of jobs.
_REPLACED = ("job_info", "job_finished", "progress", "job_started")
_CHOOSING = "Select jobs to execute..."


class ShortLines(logging.Filter):
    """Prints short lines in the place of Snakemake's paragraphs about jobs; all else passes.

    Snakemake's own log file keeps the paragraphs.

    Args:
        say: prints a line.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._started: dict[int, tuple[str, float]] = {}
        self._ended: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether Snakemake prints the record itself."""
        event = getattr(getattr(record, "event", None), "value", "")
        if event not in _REPLACED:
            return record.msg != _CHOOSING
        if event == "job_info":
            name = " ".join([record.rule_name, *map(str, record.wildcards.values())])
            self._started[record.jobid] = name, time.monotonic()
            self._say(f"{_clock()} starts: {name}")
        elif event == "job_finished" and record.job_id in self._started:
            name, since = self._started.pop(record.job_id)
            self._ended.append(f"{name} ({_duration(time.monotonic() - since)})")
        elif event == "progress":
            share = f"{100 * record.done // max(1, record.total)}%"
            ended, self._ended = self._ended, []
            self._say(f"{_clock()} {record.done} of {record.total} steps ({share}) done: {', '.join(ended)}")
        return False


def _clock() -> str:
    return time.strftime("[%H:%M:%S]")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
