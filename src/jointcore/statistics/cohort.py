"""The two cohorts of models, which no result ever mixes, and how results of each are marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jointcore.errors import InputError
from jointcore.files import read_json, write_json
from jointcore.statistics.registration import REGISTERED_COHORT, ordered_models

REGISTERED = "registered"
LOCAL = "local"
#: Cohort to its name for a reader.
COHORT_NAMES: Mapping[str, str] = {REGISTERED: "registered cohort", LOCAL: "local demonstration"}

_LOCAL_NOTE = (
    "Local demonstration: small checkpoints that show the workflow at work. Its figures say nothing about the ability "
    "of language models and are not compared with the published ones."
)


@dataclass(frozen=True, slots=True)
class Cohort:
    """The models of one cohort of a run.

    Attributes:
        key: ``registered`` or ``local``.
        models: model key to what the registry says of it, at least ``name`` and ``role``; in table order.
        methods: slug to name of the methods of this run, in table order.
    """

    key: str
    models: Mapping[str, Mapping[str, Any]]
    methods: Mapping[str, str]

    @classmethod
    def of(cls, key: str, models: Mapping[str, Mapping[str, Any]], methods: Mapping[str, str]) -> Cohort:
        """The cohort of some models, checked and ordered.

        Raises:
            InputError: an unknown cohort, no model, or a model whose role is not of this cohort.
        """
        if key not in COHORT_NAMES:
            raise InputError(f"cohort {key!r} is unknown; choose from {', '.join(COHORT_NAMES)}")
        if not models:
            raise InputError(
                f"the {COHORT_NAMES[key]} holds no model; name one under model_stage/cohorts in the configuration"
            )
        for model, entry in models.items():
            if (entry["role"] == LOCAL) != (key == LOCAL):
                raise InputError(
                    f"model {model} has the role {entry['role']} and is not of the {COHORT_NAMES[key]}; leave it out, "
                    "since the cohorts never mix"
                )
        return cls(key, {model: dict(models[model]) for model in ordered_models(models)}, dict(methods))

    @classmethod
    def read(cls, path: str | Path) -> Cohort:
        """The cohort that :meth:`write` wrote.

        Raises:
            InputError: the file is missing or damaged.
        """
        try:
            return cls(**read_json(path))
        except TypeError as error:
            raise InputError(f"{path} holds no cohort; move it away and run the same command again") from error

    def write(self, path: str | Path) -> None:
        """Write the cohort as JSON."""
        write_json(path, {"key": self.key, "models": self.models, "methods": self.methods})

    @property
    def names(self) -> dict[str, str]:
        """Model key to its name, in table order."""
        return {model: entry["name"] for model, entry in self.models.items()}

    @property
    def roles(self) -> dict[str, str]:
        """Model key to its role, in table order."""
        return {model: entry["role"] for model, entry in self.models.items()}

    @property
    def local(self) -> bool:
        """Whether this is the local demonstration."""
        return self.key == LOCAL

    @property
    def family(self) -> Mapping[str, str]:
        """Models (and roles) whose tests make up the family: the registered four, or this cohort's own."""
        within = not self.local and set(self.models) <= set(REGISTERED_COHORT)
        return REGISTERED_COHORT if within else self.roles

    def titled(self, title: str) -> str:
        """A title that says it if the result is of the local demonstration."""
        return f"{title} (local demonstration)" if self.local else title

    def noted(self, *sentences: str) -> str:
        """A note of the non-empty sentences, which begins with what a local demonstration is."""
        return " ".join([*([_LOCAL_NOTE] if self.local else []), *filter(None, sentences)])
