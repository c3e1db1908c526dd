"""A study that runs through `snakemake --profile slurm`, what a fault may not change, and where to strike."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from slurm.cluster import Cluster
from workflow.checkout import Checkout
from workflow.small_study import CONFIG, runs_script, stored_answers

MODEL = "results/model/tiny_a"
TARGET = f"{MODEL}/primary.parquet"
FILES = ("primary.parquet", "robustness.parquet", "traces.parquet")
#: In the environment of every head, and so of every job.
TOKEN = "hf_thisTokenOpensGatedModels"
#: Seconds after which a test gives a run up.
BOUND = 420


@dataclass
class Head:
    """A Snakemake that submits jobs."""

    process: subprocess.Popen
    log: Path

    def wait(self) -> int:
        """Wait for its end; returns its status."""
        try:
            return self.process.wait(BOUND)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the run did not end in {BOUND} s:\n{self.text}") from None

    def succeed(self) -> None:
        """Wait for its end, which must be a success."""
        assert self.wait() == 0, self.text

    @property
    def text(self) -> str:
        """What it has printed."""
        return self.log.read_text()


@dataclass
class Study:
    """A checkout, the cluster that runs it, and the results of an undisturbed run."""

    checkout: Checkout
    cluster: Cluster
    undisturbed: Checkout
    heads: list[Head] = field(default_factory=list)
    others: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.others = set(self.cluster.jobs())

    def jobs(self, rule: str = "run_model") -> list[str]:
        """Ids of this study's jobs of a rule, in the order of submission."""
        return [job for job in self.cluster.jobs(comment=rule) if job not in self.others]

    @property
    def folder(self) -> Path:
        """Where the study lies."""
        return self.checkout.folder

    def site(self, **settings: object) -> None:
        """Lay settings over those of the site."""
        path = self.folder / "slurm/site.yaml"
        path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **settings}))

    def head(self, *words: str) -> Head:
        """Start `snakemake --profile slurm`, for the first model's results if not said otherwise."""
        log = self.folder / f"head{len(self.heads)}.log"
        command = [sys.executable, "-m", "snakemake", "--profile", "slurm", *CONFIG, *(words or ("--", TARGET))]
        with open(log, "w", encoding="utf-8") as file:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**self.cluster.environment, "HF_TOKEN": TOKEN},
                stdout=file,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        self.heads.append(Head(process, log))
        return self.heads[-1]

    def end(self) -> None:
        """End every head that still runs."""
        for head in self.heads:
            if head.process.poll() is None:
                head.process.kill()
                head.process.wait()

    def answers(self) -> Counter[str]:
        """How often the store of the first model holds an answer, by key."""
        return stored_answers(self.folder / MODEL / "decisions")

    def asking(self, head: Head) -> str:
        """Wait until a job of the first model has got answers and is in the middle of its questions; its id."""

        def started() -> list[str]:
            assert head.process.poll() is None, head.text
            size = sum(path.stat().st_size for path in (self.folder / MODEL).glob("decisions/*"))
            return self.cluster.jobs("running", "run_model") if size > 20_000 else []

        return self.cluster.wait_for(started, "answers of the model", BOUND, 0.2)[-1]

    def model_process(self, job: str) -> int:
        """The process of a job that asks the model."""
        for pid in self.cluster.pids(job):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            except FileNotFoundError:
                continue
            if runs_script(words):
                return pid
        raise AssertionError(f"job {job} has no process that asks the model")

    def hold(self, job: str) -> None:
        """Stop a job's model process where it is, so that what follows strikes in the middle of its questions."""
        os.kill(self.model_process(job), signal.SIGSTOP)

    def check(self, twice: int = 0) -> None:
        """Results are those of the undisturbed run, byte by byte, nothing was asked twice, and no token written.

        Args:
            twice: answers that may be there twice, where two jobs asked at once.
        """
        for name in FILES:
            mine, whole = (checkout.folder / MODEL / name for checkout in (self.checkout, self.undisturbed))
            assert mine.read_bytes() == whole.read_bytes(), name
        told = subprocess.run(["grep", "-rlF", TOKEN, self.folder], capture_output=True, text=True, check=False)
        assert (told.returncode, told.stdout) == (1, "")
        answers = self.answers()
        assert answers.keys() == Study(self.undisturbed, self.cluster, self.undisturbed).answers().keys()
        print(f"{len(answers)} answers, {answers.total() - len(answers)} of them twice")
        assert answers.total() - len(answers) <= twice
