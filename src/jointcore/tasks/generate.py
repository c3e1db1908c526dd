"""Generates the task of one grid cell; every random choice is a hash (paper, benchmark section)."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from jointcore.hashing import canonical_json, sha256, shuffled, stable_seed, unit_interval
from jointcore.tasks.families import FAMILIES, PROXY, Content
from jointcore.tasks.grid import Cell, CostRange, Costs, Grid
from jointcore.tasks.question import Record
from jointcore.tasks.task import ACTIONS, Task, benchmark_question


def generate_task(cell: Cell, seed_base: int, costs: Costs | None = None) -> Task:
    """The task of one cell.

    Args:
        cell: grid values; sound ones, see :func:`jointcore.tasks.grid.grid_problems`.
        seed_base: the grid's seed base.
        costs: ranges of the payload costs; the study's by default.
    """
    costs = costs or Costs()
    domain, family, n, s, h, b = cell
    schema = FAMILIES[family]
    condition = f"{domain}|{family}|n={n}|s={s}|h={h}|b={b}|{seed_base}"
    seed = seed_base + 1009 * b + stable_seed(condition, "task") % 997
    key = f"{domain}|{family}|n={n}|s={s}|d={min(s, 4)}|seed={seed}"

    support = tuple(sorted(shuffled(n, key, "support-order")[: schema.support_count(n, s)]))
    contents = dict(zip(support, schema.contents(len(support)), strict=True))
    proxy = next(i for i in range(n) if i not in contents) if schema.proxy else None
    shared_cost = costs.support.low + seed % costs.support.width if schema.equal_costs else None

    records = []
    for i in range(n):
        if i in contents:
            cost = shared_cost if shared_cost is not None else _cost(costs.support, key, "support-cost", i)
            relevance = 0.76 + 0.18 * unit_interval(key, "support-score", i)
            content = contents[i]
        elif i == proxy:
            cost, relevance, content = costs.proxy, 0.995, PROXY
        else:
            cost = _cost(costs.distractor, key, "distractor-cost", i)
            relevance = 0.02 + 0.70 * unit_interval(key, "distractor-score", i)
            content = Content(f"context_note_{i + 1}", "context_note", f"NOTE_{i + 1}")
        records.append(Record(i, *content, cost, round(relevance, 8)))

    task_id = sha256(canonical_json({"task": key, "version": 1}))
    question = benchmark_question(
        cell,
        sha256(canonical_json({"condition": condition, "stateful_task_id": task_id, "version": 1})),
        tuple(records),
        support,
        tuple(shuffled(n, condition, "record-order")),
        ACTIONS[stable_seed(condition, "orientation") % 2],
    )
    return Task(question, cell, task_id, condition, key, seed)


def generate_tasks(grid: Grid) -> Iterator[Task]:
    """The tasks of a grid in grid order, one at a time."""
    for cell in grid.cells():
        yield generate_task(cell, grid.seed_base, grid.costs)


def _cost(costs: CostRange, *parts: object) -> int:
    return costs.low + floor(costs.width * unit_interval(*parts))
