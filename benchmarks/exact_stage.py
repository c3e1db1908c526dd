"""Cost of the exact stage: the published grid, growth with n, growth with the number of conditions.

    python benchmarks/exact_stage.py              the published grid and n to 4,096
    python benchmarks/exact_stage.py --million    also up to a million conditions (some minutes)

Every row is a process of its own; CPU time and peak memory are the operating system's.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

from jointcore.evaluation.exact import evaluate_tasks
from jointcore.evaluation.exact_storage import read_outcomes, write_outcomes
from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.exact_means import COLUMNS, method_means
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.storage import read_tasks, write_tasks

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


def measured(result: multiprocessing.SimpleQueue, work, *arguments) -> None:
    start = time.process_time()
    work(*arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result.put((time.process_time() - start, peak))


def run(work, *arguments) -> tuple[float, float]:
    """CPU seconds and peak MiB of a function in a fresh process."""
    context = multiprocessing.get_context("spawn")
    result = context.SimpleQueue()
    process = context.Process(target=measured, args=(result, work, *arguments))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{work.__name__} failed")
    return result.get()


def evaluate(tasks: list, methods: list) -> None:
    for method in methods:
        for _ in evaluate_tasks(method, tasks, SETTINGS):
            pass


def evaluate_grid(grid: Grid, wanted) -> None:
    """Only the searches and their measures: tasks in memory, nothing written."""
    tasks = list(generate_tasks(grid))
    start = time.process_time()
    evaluate(tasks, choose_methods(wanted))
    print(json.dumps({"tasks": len(tasks), "evaluation_cpu_s": round(time.process_time() - start, 2)}))


def stream(grid: Grid, wanted, folder: str) -> None:
    """The stage as the workflow runs it: file to file, in shards."""
    path = Path(folder)
    write_tasks(path / "tasks.parquet", generate_tasks(grid))
    for method in choose_methods(wanted):
        outcomes = evaluate_tasks(method, read_tasks(path / "tasks.parquet"), SETTINGS)
        write_outcomes(path / "outcomes.parquet", path / "traces.parquet", outcomes)
        method_means(read_outcomes(path / "outcomes.parquet", COLUMNS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--million", action="store_true", help="also 10,000 to a million conditions")
    options = parser.parse_args()

    print("Published grid, eight methods, searches and measures only:", flush=True)
    run(evaluate_grid, Grid(), "study")

    rows = [("published grid, eight methods", Grid(), "study")]
    for n in (64, 256, 1024, 4096):
        grid = Grid(domains=("orders",), candidate_counts=(n,), horizon_labels=(1,), seed_blocks=(0,))
        rows.append((f"n = {n}, 18 conditions, eight methods", grid, "study"))
    for count in (10_000, 100_000, 1_000_000) if options.million else (10_000,):
        blocks = tuple(range(-(-count // 216)))
        grid = Grid(candidate_counts=(8,), support_sizes=(2,), seed_blocks=blocks)
        rows.append((f"{len(grid):,} conditions, n = 8, JointCore", grid, ["jointcore_cost_ordered"]))
    print("\n| file to file | CPU s | peak MiB |\n|---|---:|---:|")
    for name, grid, wanted in rows:
        with tempfile.TemporaryDirectory() as folder:
            cpu, peak = run(stream, grid, wanted, folder)
        print(f"| {name} | {cpu:.1f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
