"""Which models a stage runs: the registered cohort and the local one stay apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.models.model_file import choose_models
from jointcore.errors import InputError

#: Roles that the models of a cohort may have.
COHORT_ROLES = {"registered": ("registered", "exploratory"), "local": ("local",)}


def choose_cohort(entries: Mapping[str, ModelEntry], cohort: str, keys: Sequence[str]) -> dict[str, ModelEntry]:
    """The models of a cohort by key, in the order of the keys.

    Raises:
        InputError: an unknown or repeated key, or a model whose role belongs to another cohort.
    """
    try:
        chosen = choose_models(entries, list(keys))
    except InputError as error:
        raise InputError(f"config key model_stage/cohorts/{cohort}: {error}") from None
    for entry in chosen:
        if entry.role not in COHORT_ROLES[cohort]:
            home = next(name for name, roles in COHORT_ROLES.items() if entry.role in roles)
            raise InputError(
                f"config key model_stage/cohorts/{cohort}: model {entry.key} has the role {entry.role}; "
                f"list it under {home}, since the cohorts never mix"
            )
    return {entry.key: entry for entry in chosen}
