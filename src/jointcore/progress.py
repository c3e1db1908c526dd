"""Progress of a long loop: a bar on a terminal, plain lines in a log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")

_log = logging.getLogger(__name__)
#: A log line is written each time this share of the items is done, and after so many seconds without one.
_SHARE = 0.1
SECONDS = 60


class Pace:
    """Says in the log how far a loop is: at every tenth of it, and at least once a minute.

    Args:
        total: number of items.
        label: what is done, for the log lines.
    """

    def __init__(self, total: int, label: str) -> None:
        self.total, self.label, self.done = total, label, 0
        self._step = max(1, round(total * _SHARE))
        self._told, self._when = 0, time.monotonic()

    def advance(self, items: int = 1) -> None:
        """Count items as done; no more than a comparison and a look at the clock where nothing is to be said."""
        self.done += items
        due = self.done // self._step > self._told // self._step or time.monotonic() - self._when >= SECONDS
        if items and (due or self.done == self.total):
            self._told, self._when = self.done, time.monotonic()
            _log.info("%s: %d of %d", self.label, self.done, self.total)


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Pass items on and show how many of ``total`` are done.

    Args:
        items: what is worked on.
        total: their number.
        label: what is done, for the bar and the log lines.
    """
    pace = Pace(total, label)
    with tqdm(total=total, desc=label, disable=not sys.stderr.isatty(), leave=False) as bar:
        for item in items:
            yield item
            bar.update()
            pace.advance()
