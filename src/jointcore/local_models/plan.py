"""What is trained for the local cohort, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plan:
    """A tiny model and its training.

    Attributes:
        layers, hidden, heads: shape of the Llama; the feed-forward width is twice ``hidden``.
        steps, batch: optimizer steps, and questions in each.
        seed: of the initial weights and of the questions.
        threads: CPU threads; float sums, and so the weights, depend on their number.
    """

    layers: int
    hidden: int
    heads: int
    steps: int
    batch: int
    seed: int
    threads: int = 1


def plan_problems(plans: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What keeps plans, by name of the model, from being trained, a sentence each; empty for sound ones."""
    return [
        f"{name} has hidden {plan['hidden']} and heads {plan['heads']}; make hidden a multiple of twice the heads"
        for name, plan in plans.items()
        if plan["hidden"] % (2 * plan["heads"])
    ]
