"""What was registered before the runs: models, method pair, measures, seeds and margins.

Source: paper, sections "Statistics" and "Models". These are facts of the study, not settings:
a run with another cohort passes its own mapping and is then never called complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jointcore.selection.catalogue import all_methods

JOINTCORE = "jointcore_cost_ordered"
SINGLETON = "conditional_singleton_cost"
LEGACY = "jointcore_legacy"
FULL_MEMORY = "full_memory"


@dataclass(frozen=True, slots=True)
class StudyModel:
    """A model of the study.

    Attributes:
        key: its key in ``config/models.yaml``, paths and results.
        name: the paper's name.
        role: ``registered`` or ``exploratory``.
        revision: commit of the checkpoint that the study ran.
        precision: how its weights were held, in the words of ``config/models.yaml``.
    """

    key: str
    name: str
    role: str
    revision: str
    precision: str

    def is_of(self, entry: Mapping[str, Any]) -> bool:
        """Whether a registry's entry is the checkpoint that the study ran: the same revision at the same precision."""
        return (entry.get("revision"), entry.get("precision")) == (self.revision, self.precision)


STUDY_MODELS: Mapping[str, StudyModel] = {
    model.key: model
    for model in (
        StudyModel("qwen25_14b", "Qwen2.5-14B", "registered", "cf98f3b3bbb457ad9e2bb7baf9a0125b6b88caa8", "bfloat16"),
        StudyModel(
            "gemma4_12b_it", "Gemma-4-12B", "registered", "707f0a3b8a3c7ad586ed01e27eafbad8a27dd0f7", "bfloat16"
        ),
        StudyModel(
            "mistral31_24b_4bit",
            "Mistral-Small-3.1-24B (4-bit)",
            "registered",
            "b28a0cfd2f7fe2293e41ad6ab930b184375daa50",
            "nf4_stored",
        ),
        StudyModel(
            "llama33_70b_4bit",
            "Llama-3.3-70B (4-bit)",
            "exploratory",
            "6f6073b423013f6a7d4d9f39144961bfbfbc386b",
            "nf4",
        ),
    )
}
"""The study's models by key, in the order of the paper's tables."""

REGISTERED_COHORT: Mapping[str, str] = {key: model.role for key, model in STUDY_MODELS.items()}
"""Model key to role; all four enter the twelve tests."""

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


def ordered_models(models: Iterable[str]) -> list[str]:
    """Distinct model keys: the registered cohort in the paper's order, then others by name."""
    return _ordered(models, tuple(REGISTERED_COHORT))


def ordered_methods(methods: Iterable[str], order: Iterable[str] = ()) -> list[str]:
    """Distinct method slugs: as in ``order``, then in that of the catalogue of methods, then others by name."""
    return _ordered(methods, (*order, *(method.slug for method in all_methods())))


def _ordered(names: Iterable[str], known: tuple[str, ...]) -> list[str]:
    present = set(names)
    return [name for name in dict.fromkeys(known) if name in present] + sorted(present.difference(known))
