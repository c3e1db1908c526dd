"""What Snakemake itself costs beside its jobs: CPU time of the head, and the lines that it prints.

    python benchmarks/head_cost.py 434083d HEAD

Each commit is checked out into a temporary folder, where the exact stage of a part of the published grid runs on two
cores. CPU time is the head's own, from /proc: its jobs are processes of their own and are counted apart.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GRID = "benchmark: {exact: {candidate_counts: [16, 64], horizon_labels: [1, 4, 8], seed_blocks: [0, 1, 2, 3]}}\n"
TICK = os.sysconf("SC_CLK_TCK")


def check_out(commit: str, folder: Path) -> None:
    """Lay the files of a commit into a folder."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, check=True, input=archive)


def seconds(pid: int) -> tuple[float, float]:
    """CPU seconds of a process: its own, and those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    own_user, own_system, jobs_user, jobs_system = (int(field) / TICK for field in fields[11:15])
    return own_user + own_system, jobs_user + jobs_system


def measure(commit: str, grid: str) -> str:
    """A row of the table: what a first run of a commit's exact stage took."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        check_out(commit, project)
        (project / "grid.yaml").write_text(grid, encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "grid.yaml"]
        start, first, used = time.monotonic(), None, (0.0, 0.0)
        with open(project / "printed", "w", encoding="utf-8") as printed:
            head = subprocess.Popen(command, cwd=project, stdout=printed, stderr=subprocess.STDOUT)
            while head.poll() is None:
                used = max(used, seconds(head.pid))
                if first is None and any((project / "logs").glob("evaluate_exact/*.log")):
                    first = (time.monotonic(), used[0])
                time.sleep(0.2)
        if head.returncode:
            sys.exit((project / "printed").read_text(encoding="utf-8")[-3000:])
        end = time.monotonic()
        text = (project / "printed").read_text(encoding="utf-8")
    share = (used[0] - first[1]) / (end - first[0])
    return (
        f"| {commit} | {end - start:.0f} | {used[1]:.0f} | {used[0]:.1f} | {100 * share:.1f} | {text.count(chr(10))} | "
        f"{len(text) / 1000:.1f} | {max(map(len, text.splitlines()))} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", nargs="+")
    parser.add_argument("--grid", default=GRID, help="configuration laid over the published one, as YAML")
    chosen = parser.parse_args()
    print("| commit | run, s | jobs' CPU, s | head's CPU, s | head while methods ran, % | lines | kB | longest |")
    print("|---|---|---|---|---|---|---|---|")
    for commit in chosen.commits:
        print(measure(commit, chosen.grid), flush=True)


if __name__ == "__main__":
    main()
