"""Shows how a call is getting on."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from jointcore.memories.asking import Asked

_log = logging.getLogger(__name__)


def watcher(wanted: bool | Callable[[Asked], None], cap: int | None) -> Callable[[Asked], None] | None:
    """What is called after each set that was decided: the user's function, a line on the terminal, or nothing."""
    if callable(wanted):
        return wanted
    if not wanted:
        return None
    number = 0

    def show(asked: Asked) -> None:
        nonlocal number
        number += 1
        limit = "" if cap is None else f" of at most {cap}"
        line = f"set {number}{limit}: {asked.retained.bit_count()} memories, {asked.decision.action}"
        if sys.stderr.isatty():
            print(line, file=sys.stderr, flush=True)
        else:
            _log.info(line)

    return show
