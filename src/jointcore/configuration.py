"""Checks a configuration before any job runs; every mistake is named with its key and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jointcore.decisions.prompts.interfaces import COMPARED_INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.documents import schema_problems
from jointcore.errors import InputError
from jointcore.local_models.plan import plan_problems
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.grid import Cell, Grid, grid_problems


def check_configuration(config: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check a whole configuration.

    Raises:
        InputError: names every mistake, its key and the remedy.
    """
    problems = schema_problems(config, schema, "config")
    if not problems:
        checks = (_grid_problems, _method_problems, _cohort_problems, _example_problems, _reading_problems)
        problems = [problem for check in checks for problem in check(config)]
    if problems:
        raise InputError("; and ".join(problems))


def exact_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the exact stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["exact"], "exact")


def model_grid(config: Mapping[str, Any]) -> Grid:
    """The grid of the model stage."""
    return Grid.from_settings(config["benchmark"], config["benchmark"]["model"], "model")


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
    for stage, wanted in config["methods"].items():
        try:
            choose_methods(wanted)
        except ValueError as error:
            found.append(f"config key methods/{stage}: {error}")
    return found


def _cohort_problems(config: Mapping[str, Any]) -> list[str]:
    own = plan_problems({"local_model": config["own_data"]["local_model"]})
    return [
        *(f"config key local_models/models/{problem}" for problem in plan_problems(config["local_models"]["models"])),
        *(f"config key own_data/{problem}" for problem in own),
    ]


def _example_problems(config: Mapping[str, Any]) -> list[str]:
    cell = Cell(**config["worked_example"])
    if cell in set(exact_grid(config).cells()):
        return []
    return [
        "config key worked_example: no condition of the exact grid has these values; "
        "choose values that benchmark/exact, benchmark/domains and benchmark/families list"
    ]


def _reading_problems(config: Mapping[str, Any]) -> list[str]:
    robustness = config["model_stage"]["robustness"]
    return [
        f"config key model_stage/robustness/{key} names unknown {value}; known are {', '.join(choices)}"
        for key, choices in (("interfaces", COMPARED_INTERFACES), ("label_styles", LABEL_STYLES))
        for value in robustness[key]
        if value not in choices
    ]
