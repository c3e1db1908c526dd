"""Checks a configuration before any job runs; every mistake is named with its key and the remedy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from jointcore.documents import schema_problems
from jointcore.errors import InputError
from jointcore.local_models.plan import plan_problems
from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from jointcore.tasks.grid import Cell, Grid, grid_problems

#: The condition that the paper follows through every method.
PUBLISHED_EXAMPLE = Cell("orders", "multiple_minimal_sets", 16, 2, 1, 0)


def check_configuration(config: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check a whole configuration.

    Raises:
        InputError: names every mistake, its key and the remedy.
    """
    problems = schema_problems(config, schema, "config")
    if not problems:
        checks = (_grid_problems, _method_problems, _cohort_problems, _example_problems)
        problems = [problem for check in checks for problem in check(config)]
    if problems:
        raise InputError("; and ".join(problems))


def exact_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the exact stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["exact"], "exact")


def model_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the model stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["model"], "model")


def example_cell(config: Mapping[str, Any]) -> Cell:
    """The condition that the worked example follows.

    The published one, where a grid does not hold it, gives way to the first condition of those that share most
    values with it; any other is taken as it is given.
    """
    wanted, grid = Cell(**config["worked_example"]), exact_grid(config)
    if wanted != PUBLISHED_EXAMPLE:
        return wanted
    return max(grid.cells(), key=lambda cell: sum(a == b for a, b in zip(cell, wanted, strict=True)))


def _grid_problems(config: Mapping[str, Any]) -> list[str]:
    shared = ("domains", "families", "costs")
    found = []
    for stage, grid in (("exact", exact_grid(config)), ("model", model_grid(config))):
        for problem in grid_problems(grid):
            place = "benchmark" if problem.startswith(shared) else f"benchmark/{stage}"
            sentence = f"config key {place}/{problem}"
            if sentence not in found:
                found.append(sentence)
    return found


def _method_problems(config: Mapping[str, Any]) -> list[str]:
    found = []
    chosen: dict[str, list[str]] = {}
    for stage, wanted in config["methods"].items():
        try:
            chosen[stage] = [method.slug for method in choose_methods(wanted)]
        except ValueError as error:
            found.append(f"config key methods/{stage}: {error}")
    for stage, needed, why in (
        ("exact", (JOINTCORE,), "which Figure 1 follows"),
        ("model", (SINGLETON, JOINTCORE), "which the registered tests compare"),
    ):
        found += _missing(f"methods/{stage}", chosen.get(stage, needed), needed, why)
    checked = config["model_stage"]["robustness"]["methods"]
    found += _missing("model_stage/robustness/methods", checked, (SINGLETON, JOINTCORE), "which the gates compare")
    for method in checked:
        if method not in (SINGLETON, JOINTCORE) and method not in chosen.get("model", checked):
            found.append(
                f"config key model_stage/robustness/methods names {method}, which methods/model does not run; add it "
                "there or leave it out here"
            )
    return found


def _missing(key: str, given: Collection[str], needed: Iterable[str], why: str) -> list[str]:
    absent = [method for method in needed if method not in given]
    return [f"config key {key} lacks {' and '.join(absent)}, {why}; add what is missing"] if absent else []


def _cohort_problems(config: Mapping[str, Any]) -> list[str]:
    return [f"config key local_models/models/{problem}" for problem in plan_problems(config["local_models"]["models"])]


def _example_problems(config: Mapping[str, Any]) -> list[str]:
    cell = example_cell(config)
    if cell in set(exact_grid(config).cells()):
        return []
    return [
        "config key worked_example: no condition of the exact grid has these values; "
        "choose values that benchmark/exact, benchmark/domains and benchmark/families list"
    ]
