"""What was registered before the runs: models, method pair, measures, seeds and margins.

Source: paper, sections "Statistics" and "Models". These are facts of the study, not settings:
a run with another cohort passes its own mapping and is then never called complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

JOINTCORE = "jointcore_cost_ordered"
SINGLETON = "conditional_singleton_cost"
FULL_MEMORY = "full_memory"

REGISTERED_COHORT: Mapping[str, str] = {
    "qwen25_14b": "registered",
    "gemma4_12b_it": "registered",
    "mistral31_24b_4bit": "registered",
    "llama33_70b_4bit": "exploratory",
}
"""Model key to role, in the order of the paper's tables; all four enter the twelve tests."""

EXACT_MCNEMAR = "exact McNemar"
SIGN_FLIP = "sign-flip"

REGISTERED_MEASURES: Mapping[str, str] = {
    "behavioral_sufficiency": EXACT_MCNEMAR,
    "active_token_savings": SIGN_FLIP,
    "intervention_count": SIGN_FLIP,
}
"""Measure to its two-sided paired test."""

REGISTERED_FAMILY_SIZE = 12

STUDY_SEED = 26082999
SIGN_FLIP_DRAWS = 20_000
BOOTSTRAP_REPLICATES = 2_000
CONFIDENCE = 0.95

NON_INFERIORITY_MARGIN = 0.05
LARGEST_TASK_LOSS = 0.02
LEAST_EVALUATION_REDUCTION = 0.15
LEAST_SAVINGS = 0.50

_METHOD_ORDER = (
    FULL_MEMORY,
    "random_b",
    "semantic_top_b",
    "independent_leave_one_out",
    SINGLETON,
    "jointcore_legacy",
    JOINTCORE,
    "exact_oracle",
)


def ordered_models(models: Iterable[str]) -> list[str]:
    """Distinct model keys: the registered cohort in the paper's order, then others by name."""
    return _ordered(models, tuple(REGISTERED_COHORT))


def ordered_methods(methods: Iterable[str]) -> list[str]:
    """Distinct method slugs: the study's eight in the paper's order, then others by name."""
    return _ordered(methods, _METHOD_ORDER)


def _ordered(names: Iterable[str], known: tuple[str, ...]) -> list[str]:
    present = set(names)
    return [name for name in known if name in present] + sorted(present.difference(known))
