"""What a model run took: kept beside the results, never in them."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from jointcore.decisions.protocol import Judge

#: Libraries whose versions can change a score or a table.
LIBRARIES = (
    "accelerate",
    "bitsandbytes",
    "jointcore",
    "numpy",
    "pyarrow",
    "safetensors",
    "tokenizers",
    "torch",
    "transformers",
)


def runtime_record(judge: Judge, project: str | Path) -> dict[str, Any]:
    """What a judge says of itself, versions, machine and commit of a run, as JSON values.

    Args:
        judge: the judge that ran.
        project: folder of the project, for the git commit.
    """
    return {
        **(judge.facts() if hasattr(judge, "facts") else {}),
        "git": git_state(project),
        "versions": library_versions(),
        "python": platform.python_version(),
        "machine": {"platform": platform.platform(), "processor": platform.machine()},
    }


def library_versions(names: Sequence[str] = LIBRARIES) -> dict[str, str | None]:
    """Version of each library, ``None`` where it is not installed."""
    return {name: _version(name) for name in names}


def git_state(project: str | Path) -> dict[str, Any]:
    """The commit of a project folder and whether tracked files differ from it; ``None`` where there is no git."""
    commit = _git(project, "rev-parse", "HEAD")
    changed = _git(project, "status", "--porcelain", "--untracked-files=no")
    return {"commit": commit, "changed": None if changed is None else bool(changed)}


def _git(project: str | Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(project), *arguments], capture_output=True, text=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
