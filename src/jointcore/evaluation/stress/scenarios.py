"""Scenarios of the experiments: what is perturbed, by how much, with which seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jointcore.decisions.judges.noisy_rule import Errors


@dataclass(frozen=True)
class Scenario:
    """One way to run the searches.

    Attributes:
        budget: number of records that count as most relevant, B.
        noise: standard deviation of the noise on relevance, or ``"shuffle"``.
        seed: seed of the noise.
        errors: how often decisions err.
        label: name of the level on the experiment's own axis.
    """

    budget: int
    noise: float | str = 0
    seed: int = 0
    errors: Errors = field(default_factory=Errors)
    label: str = ""


def relevance_scenarios(noise: Sequence[float | str], seeds: Sequence[int], budget: int) -> list[Scenario]:
    """Each noise level with each seed; no noise once."""
    return [
        Scenario(budget, level, seed, label=str(level))
        for level in noise
        for seed in (seeds[:1] if level == 0 else seeds)
    ]


def budget_scenarios(budgets: Sequence[int], noise: Sequence[float | str], seeds: Sequence[int]) -> list[Scenario]:
    """Each B under each of the scenarios of relevance."""
    return [
        replace(scenario, label=str(budget))
        for budget in budgets
        for scenario in relevance_scenarios(noise, seeds, budget)
    ]


#: Label of the scenarios in which every family errs at its own rate.
BY_FAMILY = "by family"


def decision_scenarios(
    rates: Sequence[float], by_family: Mapping[str, float], seeds: Sequence[int], budget: int
) -> list[Scenario]:
    """Each error rate with each seed, no errors once; then each family at its own rate, with each seed."""
    same = [
        Scenario(budget, seed=seed, errors=Errors(rate, seed=seed), label=str(rate))
        for rate in rates
        for seed in (seeds[:1] if rate == 0 else seeds)
    ]
    own = [
        Scenario(budget, seed=seed, errors=Errors(by_family=by_family, seed=seed), label=BY_FAMILY) for seed in seeds
    ]
    return same + (own if by_family else [])


#: The scenarios of each experiment on the exact grid, from its settings.
SCENARIOS: dict[str, Callable[..., list[Scenario]]] = {
    "relevance": relevance_scenarios,
    "budgets": budget_scenarios,
    "decisions": decision_scenarios,
}
