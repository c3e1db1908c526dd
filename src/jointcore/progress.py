"""Progress of a long loop: a bar on a terminal, plain lines in a log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")

_log = logging.getLogger(__name__)
#: A log line is written each time this share of the items is done.
_SHARE = 0.1


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Pass items on and show how many of ``total`` are done.

    Args:
        items: what is worked on.
        total: their number.
        label: what is done, for the bar and the log lines.
    """
    step = max(1, round(total * _SHARE))
    with tqdm(total=total, desc=label, disable=not sys.stderr.isatty(), leave=False) as bar:
        for done, item in enumerate(items, 1):
            yield item
            bar.update()
            if done % step == 0 or done == total:
                _log.info("%s: %d of %d", label, done, total)
