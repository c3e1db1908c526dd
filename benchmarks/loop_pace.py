"""How fast the loop of the exact stage is beside that of another checkout, and whether both give the same bytes.

    git worktree add /tmp/before 434083d
    python benchmarks/loop_pace.py --before /tmp/before

runs both in turns on the same conditions of the exact grid, a process a turn, and prints for every method the
seconds of CPU time of each (the least of all turns) and their ratio. ``--methods all`` takes every method.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
METHODS = ("conditional_singleton_cost", "jointcore_cost_ordered", "jointcore_anchored", "cmi_top3", "ddmin")
#: Runs in either checkout: what it calls is older than both.
TURN = """
import gc, json, sys, tempfile, time
from hashlib import sha256
from pathlib import Path
from jointcore.evaluation.exact import evaluate_tasks
from jointcore.evaluation.exact_storage import write_outcomes
from jointcore.selection.catalogue import all_methods, load_method
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Grid

methods, stride = json.loads(sys.argv[1]), int(sys.argv[2])
cells = list(Grid().cells())[::stride]
settings = {"budget": 4, "cap": 256, "empty_set_fails": False}
gc.disable()
with tempfile.TemporaryDirectory() as folder:
    files = [Path(folder) / name for name in ("outcomes", "traces")]
    for slug in methods or [method.slug for method in all_methods()]:
        method, best = load_method(slug), [float("inf"), float("inf")]
        for _ in range(5):
            tasks = [generate_task(cell, Grid().seed_base) for cell in cells]
            for part, work in enumerate((
                lambda: [None for _ in evaluate_tasks(method, tasks, settings)],
                lambda: write_outcomes(*files, evaluate_tasks(method, tasks, settings)),
            )):
                start = time.process_time()
                work()
                best[part] = min(best[part], time.process_time() - start)
            gc.collect()
        print(json.dumps([slug, best, [sha256(file.read_bytes()).hexdigest() for file in files]]), flush=True)
"""


def turn(checkout: Path, methods: list[str], stride: int) -> dict[str, tuple[list[float], list[str]]]:
    """Seconds (searches alone, and with writing) and digests of each method in one checkout."""
    command = [sys.executable, "-c", TURN, json.dumps(methods), str(stride)]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return {slug: (seconds, digest) for slug, seconds, digest in map(json.loads, done.stdout.splitlines())}


def main() -> None:
    """Run both in turns and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, type=Path, help="another checkout of the project")
    parser.add_argument("--methods", nargs="+", default=METHODS, help="methods, or all")
    parser.add_argument("--stride", type=int, default=4, help="every which condition of the 6,912")
    parser.add_argument("--turns", type=int, default=3, help="turns of each")
    options = parser.parse_args()
    methods = [] if options.methods == ["all"] else list(options.methods)
    turns = [
        [turn(checkout, methods, options.stride) for checkout in (options.before, HERE)] for _ in range(options.turns)
    ]
    print("| method | before, s | now, s | ratio | with writing, before, s | now, s | ratio | bytes |")
    print("|---|---|---|---|---|---|---|---|")
    totals = [[0.0, 0.0], [0.0, 0.0]]
    for slug in turns[0][0]:
        cells = []
        for part in range(2):
            before, now = (min(both[side][slug][0][part] for both in turns) for side in range(2))
            totals[part] = [totals[part][0] + before, totals[part][1] + now]
            cells.append(f"{before:.3f} | {now:.3f} | {now / before:.2f}")
        same = {tuple(both[side][slug][1]) for both in turns for side in range(2)}
        print(f"| {slug} | {' | '.join(cells)} | {'the same' if len(same) == 1 else 'DIFFERENT'} |")
    print("| all |", " | ".join(f"{a:.3f} | {b:.3f} | {b / a:.2f}" for a, b in totals), "| |")


if __name__ == "__main__":
    main()
