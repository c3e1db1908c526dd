"""Synthetic model and robustness frames with the columns of the input contract."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd
import pytest

from jointcore.hashing import stable_seed
from paths import PUBLISHED

METHODS = (
    "full_memory",
    "random_b",
    "semantic_top_b",
    "independent_leave_one_out",
    "conditional_singleton_cost",
    "jointcore_legacy",
    "jointcore_cost_ordered",
    "exact_oracle",
)
FAMILIES = ("redundant_or", "single_variable", "synergy_xor")

FrameMaker = Callable[..., pd.DataFrame]


def _cell(model: str, method: str, tasks: int) -> dict[str, object]:
    """Values that depend on (model, method) alone, so that adding a model changes no other row."""
    rng = np.random.default_rng(stable_seed("test cell", model, method))
    exact = rng.random(tasks) < 0.7
    queries = rng.integers(5, 17, tasks) if method.startswith("jointcore") else np.full(tasks, 16)
    return {
        "behavioral_sufficiency": rng.random(tasks) < 0.9,
        "exact_sufficiency": exact,
        "valid_minimum_set": exact & (rng.random(tasks) < 0.6),
        "critical_recall": rng.integers(0, 5, tasks) / 4,
        "active_token_savings": rng.integers(40, 99, tasks) / 100,
        "cost_gap": np.where(exact, rng.integers(0, 9, tasks) / 8, np.nan),
        "intervention_count": queries,
        "budget_exhausted": rng.random(tasks) < 0.02,
        "final_decision_correct": rng.random(tasks) < 0.8,
        "trajectory_success": rng.random(tasks) < 0.7,
        "selection_accuracy": np.where(rng.random(tasks) < 0.1, np.nan, rng.random(tasks)),
        "satisfied_share": rng.random(tasks),
        "invalid_decisions": rng.integers(0, 2, tasks),
    }


def model_frame(
    models: Iterable[str] = ("qwen25_14b", "gemma4_12b_it"),
    tasks: int = 24,
    methods: Sequence[str] = METHODS,
    families: Sequence[str] = FAMILIES,
) -> pd.DataFrame:
    parts = []
    for model in models:
        control = np.random.default_rng(stable_seed("control", model)).random(tasks) < 0.9
        for method in methods:
            parts.append(
                pd.DataFrame(
                    {
                        "model": model,
                        "paper_task_id": [f"task{index:05d}" for index in range(tasks)],
                        "domain": "orders",
                        "family": [families[index % len(families)] for index in range(tasks)],
                        "candidate_count": 16,
                        "support_size": 2,
                        "horizon_label": 1,
                        "seed_block": 0,
                        "method": method,
                        **_cell(model, method, tasks),
                        "control_accuracy": control,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def robustness_frame(
    counts: dict[tuple[str, str, str], tuple[int, int]], model: str = "m", tasks: int = 108
) -> pd.DataFrame:
    """(model, interface, label style) to successes of (JointCore, singleton) among ``tasks``."""
    parts = []
    for (owner, interface, style), successes in counts.items():
        for method, success in zip(("jointcore_cost_ordered", "conditional_singleton_cost"), successes, strict=True):
            parts.append(
                pd.DataFrame(
                    {
                        "model": owner,
                        "method": method,
                        "paper_task_id": [f"task{index:05d}" for index in range(tasks)],
                        "interface": interface,
                        "label_style": style,
                        "trajectory_success": np.arange(tasks) < success,
                        "action": "EXECUTE",
                        "agrees_with_primary": np.arange(tasks) % (2 if method.startswith("jointcore") else 4) == 0,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="session")
def make_frame() -> FrameMaker:
    return model_frame


@pytest.fixture(scope="session")
def make_robustness() -> FrameMaker:
    return robustness_frame


@pytest.fixture(scope="session")
def paper() -> dict:
    return json.loads((PUBLISHED / "paper.json").read_text(encoding="utf-8"))
