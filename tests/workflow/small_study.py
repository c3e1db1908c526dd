"""The study that faults and kills are tried on: a small grid, and two models of few training steps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from jointcore.decisions.store.decision_store import KIND
from jointcore.decisions.store.segments import read_segment, segment_paths

#: Its configuration files; the second holds :data:`STUDY`.
CONFIG = ("--configfile", "config/smoke.yaml", "study.yaml")
STUDY = {
    "stages": ["exact", "local"],
    "methods": {"exact": "study"},
    "local_models": {"models": {"tiny_a": {"steps": 60}, "tiny_b": {"steps": 30}}},
}
#: What tells of the machine and of the run, not of the models.
OF_THE_RUN = ("runtime", "decisions", "summary.html")


def stored_answers(store: Path) -> Counter[str]:
    """How often a decision store holds an answer, by key."""
    return Counter(record["key"] for path in segment_paths(store) for record in read_segment(path, KIND, 0).records)


def runs_script(command: list[str]) -> bool:
    """Whether a process with this command line runs a rule's script."""
    return "python" in command[0] and any("/.snakemake/scripts/" in word for word in command)
