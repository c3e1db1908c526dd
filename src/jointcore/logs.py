"""One logging set-up for every job: a log file, and a clear last word on the terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jointcore.errors import InputError, sentence


@contextmanager
def job_log(path: str | Path) -> Iterator[None]:
    """Log to a file while the block runs, and end the process with status 1 if it fails.

    Bad input ends with its one sentence, in the log and on standard error; any other error is a defect
    and leaves its traceback in the log as well.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        yield
    except InputError as error:
        root.error("%s", error)
        print(f"Error: {sentence(error)}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        root.exception("defect")
        print(f"Error: {type(error).__name__}: {error} (traceback in {path})", file=sys.stderr)
        sys.exit(1)
    finally:
        root.removeHandler(handler)
        handler.close()
