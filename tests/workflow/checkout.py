"""A copy of the project in which a test may edit and run what it likes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from paths import PROJECT

_PARTS = ("Snakefile", "README.md", "config", "envs", "profiles", "resources", "slurm", "src", "workflow")
SMOKE = ("--configfile", "config/smoke.yaml")
STUDY = ("--", "local_study")


@dataclass(frozen=True)
class Checkout:
    """A copy of the project and how to run its workflow."""

    folder: Path

    @classmethod
    def create(cls, folder: Path) -> Checkout:
        """Copy the project's files, without results."""
        folder.mkdir(parents=True)
        for part in _PARTS:
            source = PROJECT / part
            if source.is_dir():
                shutil.copytree(
                    source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "local.yaml", "site.yaml")
                )
            elif source.exists():
                shutil.copy2(source, folder / part)
        return cls(folder)

    def clone(self, folder: Path) -> Checkout:
        """Copy this checkout with its results and Snakemake's records of them."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Checkout(folder)

    def command(self, *arguments: str, cores: int = 2) -> list[str]:
        """The command line of a run."""
        return [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]

    def run(self, *arguments: str, check: bool = True, cores: int = 2) -> subprocess.CompletedProcess[str]:
        """Run the workflow; a failure shows its output."""
        done = subprocess.run(
            self.command(*arguments, cores=cores), cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def planned(self, *arguments: str) -> dict[str, int]:
        """Jobs a rule that a dry run lists, without the target rule."""
        output = self.run("--dry-run", *SMOKE, *arguments).stdout
        table = re.search(r"^job +count\n-+ +-+\n(.*?)^total", output, re.MULTILINE | re.DOTALL)
        rows = [line.split() for line in table.group(1).splitlines()] if table else []
        return {name: int(count) for name, count in rows if name != "all"}

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that the file holds exactly once."""
        file = self.folder / path
        text = file.read_text()
        assert text.count(old) == 1, f"{path} holds {old!r} {text.count(old)} times"
        file.write_text(text.replace(old, new))

    def append(self, path: str, text: str) -> None:
        """Add text at the end of a file."""
        with open(self.folder / path, "a", encoding="utf-8") as file:
            file.write(text)

    def digests(self) -> dict[str, bytes]:
        """The bytes of every result, by path."""
        results = self.folder / "results"
        return {
            str(path.relative_to(results)): path.read_bytes() for path in sorted(results.rglob("*")) if path.is_file()
        }
