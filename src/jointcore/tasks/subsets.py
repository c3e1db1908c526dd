"""The robustness and the development subset of the model grid (paper, sections on robustness and protocol)."""

from __future__ import annotations

from jointcore.tasks.task import Task


def robustness_subset(tasks: list[Task], stride: int) -> list[Task]:
    """Every ``stride``-th task from the first on (the study: every fourth, 108 of 432)."""
    return tasks[::stride]


def development_subset(tasks: list[Task], tasks_per_family: int) -> list[Task]:
    """Evenly spaced tasks of every family, in grid order (the study: 8 a family, 72 of 432).

    A family with fewer tasks gives all of them.
    """
    by_family: dict[str, list[int]] = {}
    for position, task in enumerate(tasks):
        by_family.setdefault(task.family, []).append(position)
    chosen = []
    for positions in by_family.values():
        count = min(tasks_per_family, len(positions))
        chosen += [positions[round(i * (len(positions) - 1) / max(1, count - 1))] for i in range(count)]
    return [tasks[position] for position in sorted(chosen)]


#: Subset by the name of its file.
SUBSETS = {"robustness": robustness_subset, "development": development_subset}
