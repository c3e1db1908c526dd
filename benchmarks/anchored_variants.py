"""Variants of Anchored JointCore side by side: evaluations and minimum-cost recovery against noise on relevance.

    python benchmarks/anchored_variants.py [--stride 4] [--seeds 0 1 2]

Every variant runs on the exact grid (or every so many conditions of it) with the logical rule as the judge. Where a
row says "order of …", only the order of deletion differs. About a minute a seed with stride 4.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import fmean

from jointcore.bitsets import bitset
from jointcore.evaluation.exact import evaluate_task
from jointcore.evaluation.stress.perturbation import SHUFFLE, perturbed
from jointcore.selection.border_search import border_search
from jointcore.selection.catalogue import load_method
from jointcore.selection.group_deletion import group_deletion
from jointcore.selection.method import Method
from jointcore.selection.methods.jointcore_anchored import deletion_order
from jointcore.selection.methods.quickxplain import preferred_set
from jointcore.selection.outlook import DEFAULT, Trust, outlook
from jointcore.selection.protocol import Memory, Probe, Search, Selection
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.task import Task

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
BUDGET, CAP = SETTINGS["budget"], SETTINGS["cap"]
LEVELS = (0, 0.05, 0.1, 0.2, 0.4, 1, SHUFFLE)

#: Sure enough of relevance to ask for the anchors right after the first question fails.
TRUSTING = replace(DEFAULT, outside=0.25)
#: So unsure of it that the anchors are the first question.
WARY = replace(DEFAULT, outside=0.5)
#: Relevance says nothing but which records are the anchors.
FLAT = replace(DEFAULT, outside=0.999, slightly=0.0, few=((1, 0.0), (2, 0.0), (4, 0.0)))


def jointcore_order(memory: Memory) -> list[int]:
    """JointCore's cost-aware order."""
    outside, anchors = memory.anchored_order(BUDGET)
    return outside + anchors


def anchored(order: Callable[[Memory], list[int]], trust: Trust = DEFAULT, declared: bool = False):
    """The search with another order, trust or declaration."""

    def search(memory: Memory) -> Search:
        return border_search(
            memory, order(memory), lambda found: outlook(memory.count, BUDGET, declared, found, trust), CAP
        )

    return search


def own_order(memory: Memory) -> list[int]:
    """The order of Anchored JointCore."""
    return deletion_order(memory, BUDGET)


def gallop(memory: Memory) -> Search:
    """Without beliefs: what is outside as one block; else one probe that keeps B records more, then bisection; then the
    anchors one by one. The idea that Anchored JointCore started from."""
    outside, anchors = memory.anchored_order(BUDGET)
    retained = memory.everything
    start = 0
    while start < len(outside):
        low, high, cut = start, len(outside) + 1, len(outside)
        while high - low > 1:
            block = bitset(outside[low:cut])
            answer = yield Probe(retained & ~block, block)
            if answer.same:
                retained &= ~block
                low = cut
            else:
                near = cut == len(outside) and cut - low > BUDGET
                high = cut
                cut = cut - BUDGET if near else (low + high) // 2
                continue
            cut = (low + high) // 2
        start = low + 1
    for record in anchors:
        answer = yield Probe(retained & ~(1 << record), 1 << record)
        if answer.same:
            retained &= ~(1 << record)
    return Selection(retained)


VARIANTS: dict[str, Callable[[Memory], Search]] = {
    "JointCore": lambda memory: group_deletion(memory, jointcore_order(memory), CAP),
    "QuickXplain": lambda memory: preferred_set(memory, jointcore_order(memory)[::-1]),
    "QuickXplain, order of Anchored JointCore": lambda memory: preferred_set(memory, own_order(memory)[::-1]),
    "Block, gallop, bisection": gallop,
    "Anchored JointCore": anchored(own_order),
    "Anchored JointCore, order of JointCore": anchored(jointcore_order),
    "Anchored JointCore, trusting": anchored(own_order, TRUSTING),
    "Anchored JointCore, wary": anchored(own_order, WARY),
    "Anchored JointCore, flat": anchored(own_order, FLAT),
    "Anchored JointCore, empty set declared": anchored(own_order, DEFAULT, True),
}


def as_method(name: str, search: Callable[[Memory], Search]) -> Method:
    """A variant as a method."""
    template = load_method("jointcore_anchored")
    return replace(template, slug=name, name=name, search=search, uses=())


def results(method: Method, tasks: list[Task], level: float | str, seed: int) -> Iterator[tuple[int, int, bool]]:
    """n, evaluations and minimum-cost recovery of every task."""
    for task in tasks:
        noisy = perturbed(task.question.memory, level, seed)
        records = tuple(r._replace(relevance=x) for r, x in zip(task.records, noisy.relevance, strict=True))
        outcome = evaluate_task(method, replace(task, records=records), SETTINGS)
        yield task.candidate_count, outcome.trace.evaluations, outcome.measures.valid_minimum_set


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stride", type=int, default=4, help="every so many conditions of the exact grid")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="seeds of the noise")
    parser.add_argument("--seed-base", type=int, default=Grid().seed_base, help="another draw of the benchmark")
    options = parser.parse_args()
    tasks = list(generate_tasks(Grid(seed_base=options.seed_base)))[:: options.stride]
    print("evaluations (minimum-cost recovery) by noise; without noise also by n")
    print(f"{'':42s}" + "".join(f"{level!s:>14s}" for level in LEVELS) + "  " + "/".join(map(str, (8, 16, 32, 64))))
    for name, search in VARIANTS.items():
        method, cells, by_count = as_method(name, search), [], {}
        for level in LEVELS:
            seeds = options.seeds[:1] if level == 0 else options.seeds
            rows = [row for seed in seeds for row in results(method, tasks, level, seed)]
            cells.append(f"{fmean(r[1] for r in rows):6.3f} ({fmean(r[2] for r in rows):.3f})")
            if level == 0:
                by_count = {n: fmean(r[1] for r in rows if r[0] == n) for n in sorted({r[0] for r in rows})}
        print(f"{name:42s} " + "".join(cells) + "  " + "/".join(f"{v:.2f}" for v in by_count.values()), flush=True)


if __name__ == "__main__":
    main()
