"""When a run of the workflow ends itself: at its deadline, or when its jobs are lost.

An executor may wait for jobs that nobody will ever report. A run that ends here ends as after Ctrl-C: its jobs are
cancelled, and the same command goes on where it stopped.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

#: Seconds that a run has for cancelling its jobs; a cluster that does not answer can hold it for longer.
GRACE = 90
#: Seconds between two looks at the queue.
PAUSE = 10


def end_after(hours: float, over: Callable[[], bool]) -> None:
    """End this process some hours from now; to be called in its main thread.

    Args:
        hours: the deadline.
        over: whether the run has done all that it had to do, so that there is nothing to end.
    """
    _start(threading.Timer(3600 * hours, _end, [f"the run has reached its deadline of {hours:g} h", over]))


def end_when_lost(minutes: float, queue: Callable[[], int | None], over: Callable[[], bool]) -> None:
    """End this process when none of its jobs has been in the queue for some minutes, after there was one.

    To be called in its main thread.

    Args:
        minutes: more than the executor may need to notice the end of a job and to submit another one.
        queue: how many jobs are queued or run, ``None`` if that cannot be told now.
        over: see :func:`end_after`; the queue of such a run is empty because it is done.
    """
    _start(threading.Thread(target=_watch, args=[60 * minutes, queue, over]))


def slurm_queue(folder: str | Path) -> int | None:
    """How many of this user's jobs that were submitted from a folder are in SLURM's queue; ``None`` if it is silent."""
    try:
        done = subprocess.run(
            ["squeue", "--me", "--noheader", "--format=%Z"], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return None
    place = Path(folder).resolve()
    return sum(Path(line.strip()).resolve() == place for line in done.stdout.splitlines() if line.strip())


def _start(thread: threading.Thread) -> None:
    # A process that a shell has put into the background ignores the signal that Ctrl-C sends.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    thread.daemon = True
    thread.start()


def _watch(patience: float, queue: Callable[[], int | None], over: Callable[[], bool]) -> None:
    # A run that has submitted nothing yet may be long at work on this machine.
    empty_since = None
    while empty_since is None or time.monotonic() - empty_since < patience:
        time.sleep(min(PAUSE, patience))
        if over():
            return
        jobs = queue()
        # A silent cluster proves nothing, so the waiting starts anew.
        if jobs != 0:
            empty_since = time.monotonic() if jobs or empty_since else None
    minutes = f"{patience / 60:g} min"
    _end(f"none of this run's jobs has been in the queue for {minutes}, and the executor still waits for them", over)


def _end(reason: str, over: Callable[[], bool]) -> None:
    if over():
        return
    _say(f"{reason}; its jobs are cancelled. Run the same command again: it asks only what was not answered.")
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(GRACE)
    _say(
        f"the cluster has not let go for {GRACE} s, so this run ends without it; jobs may run on, without harm. "
        "Run snakemake once with --unlock, then the same command again."
    )
    os._exit(1)


def _say(sentence: str) -> None:
    print(f"Error: {sentence}", file=sys.stderr, flush=True)
