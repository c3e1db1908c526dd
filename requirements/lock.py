"""Resolve the dependencies anew and write them down, beside this file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PROJECT = FOLDER.parent
TORCH = "torch==2.13.0"
#: What the published study ran; this torch brings CUDA 12.4.
STUDY = ("torch==2.6.0", "transformers==5.15.*")
#: A torch for GPUs names the exact versions of these itself; one for the CPU has none.
OF_TORCH = ("nvidia-", "cuda-", "triton")


def lock(name: str, *targets: str) -> None:
    """Install the targets into a fresh environment and write the versions that came."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        # Together, so that no later target can move what an earlier one pinned.
        subprocess.run([python, "-m", "pip", "install", "--quiet", *targets], check=True)
        frozen = subprocess.run(
            [python, "-m", "pip", "freeze", "--exclude", "jointcore"], check=True, capture_output=True, text=True
        ).stdout
    # A local version label (torch's +cpu) names a build, not a version to ask an index for.
    kept = {line.split("+")[0] for line in frozen.splitlines() if "==" in line and not line.startswith(OF_TORCH)}
    lines = sorted(kept, key=str.lower)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    lock("run.txt", str(PROJECT))
    lock("test.txt", TORCH, f"{PROJECT}[inference,endpoint,own,test,dev]")
    lock("cluster.txt", TORCH, f"{PROJECT}[inference,endpoint,slurm]")
    lock("study.txt", *STUDY, f"{PROJECT}[inference,endpoint,slurm]")
    sys.stdout.write("Locked run.txt, test.txt, cluster.txt and study.txt.\n")
