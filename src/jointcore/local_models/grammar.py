"""Training questions on the benchmark's own grammar, from other seeds than any grid's (a local demonstration).

Half of the retained sets satisfy the rule and half do not, and most lie at the rule's boundary, where one
record more or less changes the answer, so that counting the omitted records does not answer the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import NamedTuple

from jointcore.bitsets import bitset, full
from jointcore.decisions.judges.logical_rule import other_action
from jointcore.decisions.prompts.interfaces import shown_records
from jointcore.decisions.protocol import Query
from jointcore.logic.oracle import RULES
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell, Grid
from jointcore.tasks.task import ACTIONS, TERMINAL, Task

#: Seed base of the training tasks; no seed block of a study grid comes near it.
TRAINING_SEED_BASE = 9_000_000_000_000
_BLOCKS = 2**31


@dataclass(frozen=True, slots=True)
class Mixture:
    """How often each kind of question is drawn.

    Attributes:
        interfaces: weight of each memory interface, by slug.
        label_styles: weight of each label style, by slug.
        terminal: share of questions that ask for the terminal action.
        boundary: share of retained sets at the rule's boundary.
        altered: share of questions that show some records with an altered value.
    """

    interfaces: Mapping[str, float] = field(
        default_factory=lambda: {"typed_mask": 4, "deletion": 1, "plausible_same_type": 1, "counterfactual": 1}
    )
    label_styles: Mapping[str, float] = field(default_factory=lambda: {"boolean": 3, "direct": 1, "ab": 1})
    terminal: float = 0.1
    boundary: float = 0.75
    altered: float = 0.05


class Example(NamedTuple):
    """A training question and the action that answers it."""

    query: Query
    action: str


def draw_example(rng: Random, grid: Grid, mixture: Mixture) -> Example:
    """Draw one question; none shows the full memory, which would be told by what it lacks: a masked record.

    Args:
        rng: the source of every choice.
        grid: the cell values to draw from; its seeds are not used.
        mixture: how often each kind of question is drawn.
    """
    task = draw_task(rng, grid)
    style = _weighted(rng, mixture.label_styles)
    if rng.random() < mixture.terminal:
        action = rng.choice(ACTIONS)
        return Example(Query(task.question, 0, label_style=style, workflow_action=action), TERMINAL[action])
    interface = _weighted(rng, mixture.interfaces)
    satisfied = rng.random() < 0.5
    while True:
        kept = draw_retained(rng, task, satisfied, mixture.boundary)
        altered = _some(rng, task.candidate_count) & ~kept if rng.random() < mixture.altered else 0
        query = Query(task.question, kept | altered, altered, interface, style)
        if kept != full(task.candidate_count) and (satisfied or not reads_as_satisfied(query)):
            break
    action = task.question.condition.action if satisfied else other_action(task.question)
    return Example(query, action)


def draw_task(rng: Random, grid: Grid) -> Task:
    """Draw a task that no grid holds: cell values from the grid, seed block and seed base of its own.

    The number of records is raised where the support and one more record do not fit.
    """
    family = rng.choice(grid.families)
    size = rng.choice(grid.support_sizes)
    schema = FAMILIES[family]
    needed = schema.support_count(size, size) + schema.proxy + 1
    count = max(needed, rng.choice(grid.candidate_counts))
    cell = Cell(rng.choice(grid.domains), family, count, size, rng.choice(grid.horizon_labels), rng.randrange(_BLOCKS))
    return generate_task(cell, TRAINING_SEED_BASE)


def draw_retained(rng: Random, task: Task, satisfied: bool, boundary: float) -> int:
    """Draw a retained set (a bitset) that satisfies the task's rule or does not.

    Args:
        rng: the source of every choice.
        task: the task.
        satisfied: whether the set is to satisfy the rule.
        boundary: probability that one support record more or less would change that.
    """
    choices = _support_choices(task.family, len(task.support), satisfied, rng.random() < boundary)
    support = rng.choice(choices)
    kept = bitset(identifier for j, identifier in enumerate(task.support) if support >> j & 1)
    return kept | _some(rng, task.candidate_count) & ~bitset(task.support)


def reads_as_satisfied(query: Query) -> bool:
    """Whether a prompt's records read as satisfied although the retained set is not sufficient.

    Only altered flags can do that: two flags that both show their opposite still show exactly one ON.
    """
    condition = query.question.condition
    if condition.kind != "synergy_xor":
        return False
    shown = {record.id: value for record, value in shown_records(query)}
    flags = [shown.get(identifier) for identifier in condition.required]
    return flags.count("ON") == 1 and flags.count("OFF") == len(flags) - 1


@cache
def _support_choices(family: str, count: int, satisfied: bool, boundary: bool) -> tuple[int, ...]:
    """The sets of support positions with that answer; at the boundary: those next to one with the other answer."""
    sufficient = RULES[family].sufficiency(range(count))
    alike = [kept for kept in range(1 << count) if sufficient(kept) == satisfied]
    if boundary:
        alike = [kept for kept in alike if any(sufficient(kept ^ 1 << j) != satisfied for j in range(count))]
    return tuple(alike)


def _some(rng: Random, count: int) -> int:
    """Each record with one probability; none and all are as likely as a fifth of the time together."""
    share = rng.choice((0.0, 1.0)) if rng.random() < 0.2 else rng.random()
    return bitset(i for i in range(count) if rng.random() < share)


def _weighted(rng: Random, weights: Mapping[str, float]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]
