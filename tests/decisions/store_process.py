"""A process that writes to a decision store: ``write|limited FOLDER FIRST LAST``."""

import resource
import signal
import sys

from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.store.decision_store import DecisionStore, Entry
from jointcore.errors import InputError

IDENTITY = {"repository": "tests/model", "revision": "0" * 40, "precision": "float32", "scorer": "version 1"}


def request_of(number):
    """A request that no other number has."""
    return ScoringRequest((number, 7), ((1,), (2, 3)))


def answer(number):
    """Its answer; every third is invalid."""
    return ScoringResult((-0.1 / (number + 3), -1 / 3)) if number % 3 else ScoringResult(None, "too long")


def note(number):
    """What is kept beside the answer for readers."""
    return {
        "paper_task_id": f"task {number}",
        "retained": [0, 2],
        "altered": [],
        "interface": "typed_mask",
        "label_style": "boolean",
        "workflow_action": None,
        "labels": ["YES", "NO"],
        "actions": ["HOLD", "EXECUTE"],
    }


def main(mode, folder, first, last):
    """Write answers one by one and print the number of each when it is kept."""
    if mode == "limited":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    with DecisionStore(folder, IDENTITY) as store:
        for number in range(int(first), int(last)):
            store.add([Entry(store.key(request_of(number)), answer(number), note(number))])
            if mode == "write":
                print(number, flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except InputError as error:
        sys.exit(f"Error: {error}")
