"""Kills the smoke study at random moments and lets it go on: `python tests/soak/kill_points.py --points 30 --seed 1`.

At each point one of three is killed without warning: Snakemake alone (its jobs may run on beside those of the next),
one of its jobs, or everything. At the moment of a kill every finished result must have the bytes of an undisturbed
run; at the end of a study all of them must, and no answer may be missing.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "src")]

import yaml  # noqa: E402

from workflow.checkout import Checkout  # noqa: E402
from workflow.small_study import CONFIG, OF_THE_RUN, STUDY, runs_script, stored_answers  # noqa: E402

VICTIMS = ("head", "job", "all")
#: Seconds that Snakemake needs before its first job.
EARLIEST = 3.0
PATIENCE = 1800


def main() -> int:
    """Run the points; returns 0 if everything held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=30, help="kills, in all (default 30)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and the victims (default 1)")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder))
        print(f"undisturbed: {soak.seconds:.0f} s, {len(soak.whole)} results, {soak.asked} answers", flush=True)
        point = 0
        while point < arguments.points:
            point = soak.study(rng, point, arguments.points)
        print(soak.summary(arguments.seed))
    return 0


class Soak:
    """A trained cohort, an undisturbed run, and the studies that are killed.

    Args:
        folder: where the checkouts lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = Checkout.create(folder / "ready")
        (self._ready.folder / "study.yaml").write_text(yaml.safe_dump(STUDY))
        self._ready.run(*CONFIG, "--until", "train_tiny")
        undisturbed = self._ready.clone(folder / "undisturbed")
        start = time.monotonic()
        undisturbed.run(*CONFIG)
        self.seconds = time.monotonic() - start
        self.whole = undisturbed.digests()
        self.keys = answers(undisturbed).keys()
        self.asked = len(self.keys)
        self.kills: Counter[str] = Counter()
        self.studies = 0
        self.twice: list[int] = []

    def study(self, rng: random.Random, point: int, points: int) -> int:
        """Kill one study until it ends or there are no points left; returns the number of points so far."""
        self.studies += 1
        beside = 0
        checkout = self._ready.clone(self._folder / f"study{self.studies}")
        while True:
            killed = ""
            if point < points:
                killed = self._interrupted(checkout, rng.choice(VICTIMS), rng.uniform(EARLIEST, self.seconds / 2))
            if not killed:
                break
            point += 1
            self.kills[killed] += 1
            beside += killed == "head"
            found = self._compare(checkout)
            print(f"point {point}: study {self.studies}, {killed} killed, {found} results there", flush=True)
            checkout.run(*CONFIG, "--unlock")
        wait_for_orphans(checkout)
        checkout.run(*CONFIG)
        assert self._compare(checkout) == len([path for path in self.whole if _fixed(path)])
        found = answers(checkout)
        assert found.keys() == self.keys
        self.twice.append(found.total() - len(found))
        # Only a job that a killed Snakemake left behind can ask what another one is asking.
        assert self.twice[-1] <= beside * self.asked
        print(f"study {self.studies}: same bytes, {self.twice[-1]} of {self.asked} answers given twice", flush=True)
        return point

    def _interrupted(self, checkout: Checkout, victim: str, moment: float) -> str:
        """Run a study and kill a victim at a moment; returns what was killed, nothing if the study ended before."""
        with open(checkout.folder / "run.log", "a", encoding="utf-8") as log:
            run = subprocess.Popen(
                checkout.command(*CONFIG), cwd=checkout.folder, stdout=log, stderr=log, start_new_session=True
            )
        with suppress(subprocess.TimeoutExpired):
            code = run.wait(moment)
            assert code == 0, (checkout.folder / "run.log").read_text()[-5000:]
            return ""
        jobs = job_processes(checkout)
        if victim == "job" and not jobs:
            victim = "head"
        if victim == "job":
            pid = random.Random(moment).choice(sorted(jobs))
            rule = jobs[pid]
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            # Snakemake sees that its job has failed, lets the others end, and stops; or the job had just ended.
            code = run.wait(PATIENCE)
            return f"job {rule}" if code else ""
        if victim == "head":
            os.kill(run.pid, signal.SIGKILL)
        else:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return victim

    def _compare(self, checkout: Checkout) -> int:
        """How many results are there; each must have the bytes of the undisturbed run."""
        found = {path: content for path, content in checkout.digests().items() if _fixed(path)}
        for path, content in found.items():
            assert content == self.whole[path], f"{checkout.folder}: {path} differs"
        return len(found)

    def summary(self, seed: int) -> str:
        """The figures, a line."""
        kinds = Counter(kind.split(" ")[0] for kind in self.kills.elements())
        told = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
        return (
            f"seed {seed}: {kinds.total()} kills ({told}) in {self.studies} studies; all results have the same bytes; "
            f"of {self.asked} answers {max(self.twice)} were given twice in a study at most, {sum(self.twice)} in all"
        )


def answers(checkout: Checkout) -> Counter[str]:
    """How often the stores hold an answer, by model and key."""
    found: Counter[str] = Counter()
    for store in sorted(checkout.folder.glob("results/model/*/decisions")):
        found.update({f"{store.parent.name} {key}": number for key, number in stored_answers(store).items()})
    return found


def job_processes(checkout: Checkout) -> dict[int, str]:
    """The processes that run a rule's script in a checkout, with the script's name."""
    found = {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            if runs_script(words) and os.readlink(f"/proc/{pid}/cwd") == str(checkout.folder):
                script = next(word for word in words if "/.snakemake/scripts/" in word)
                found[pid] = script.rpartition("/")[2].partition(".")[2].removesuffix(".py")
    return found


def wait_for_orphans(checkout: Checkout) -> None:
    """Wait for the jobs that a killed Snakemake left behind."""
    end = time.monotonic() + PATIENCE
    while job_processes(checkout) and time.monotonic() < end:
        time.sleep(0.5)


def _fixed(path: str) -> bool:
    return not path.endswith(".partial") and not any(word in path for word in OF_THE_RUN)


if __name__ == "__main__":
    sys.exit(main())
