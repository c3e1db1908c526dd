"""Resolve the dependencies anew and write them down: run.txt and test.txt beside this file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PROJECT = FOLDER.parent
TORCH = "torch==2.13.0"


def lock(name: str, *targets: str) -> None:
    """Install the targets into a fresh environment and write the versions that came."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        for target in targets:
            subprocess.run([python, "-m", "pip", "install", "--quiet", target], check=True)
        frozen = subprocess.run(
            [python, "-m", "pip", "freeze", "--exclude", "jointcore"], check=True, capture_output=True, text=True
        ).stdout
    # A local version label (torch's +cpu) names a build, not a version to ask an index for.
    lines = sorted({line.split("+")[0] for line in frozen.splitlines() if "==" in line}, key=str.lower)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    lock("run.txt", str(PROJECT))
    lock("test.txt", TORCH, f"{PROJECT}[inference,test,dev]")
    sys.stdout.write("Locked run.txt and test.txt.\n")
