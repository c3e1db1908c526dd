"""Recorded searches as cases: every answer is there, evidence is what was decided, mistakes are named."""

from types import SimpleNamespace

import pytest

from jointcore.bitsets import bitset
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.errors import InputError
from jointcore.evaluation.exact import evaluate_tasks
from jointcore.evaluation.exact_storage import write_outcomes
from jointcore.logic.oracle import truth_of
from jointcore.report.cases import exact_cases, model_cases
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from paths import PROJECT
from report.model_cohort import LOCAL, write_models

GRID = Grid(domains=("orders",), candidate_counts=(8,), support_sizes=(2,), horizon_labels=(1, 4), seed_blocks=(0,))
METHODS = choose_methods(["random_b", "conditional_singleton_cost", "jointcore_cost_ordered"])
SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


@pytest.fixture(scope="module")
def template():
    return PromptTemplate.load(PROJECT / "config/prompts/default.yaml")


@pytest.fixture(scope="module")
def exact(tmp_path_factory, template):
    """The exact stage of three methods, and its cases."""
    folder, tasks = tmp_path_factory.mktemp("exact"), list(generate_tasks(GRID))
    outcomes = [folder / f"{method.slug}.parquet" for method in METHODS]
    traces = [folder / f"{method.slug}_trace.parquet" for method in METHODS]
    for method, outcome, trace in zip(METHODS, outcomes, traces, strict=True):
        write_outcomes(outcome, trace, evaluate_tasks(method, tasks, SETTINGS))
    names = {method.slug: method.name for method in METHODS}
    arguments = (names, outcomes, traces, template)
    return SimpleNamespace(tasks=tasks, arguments=arguments, cases=exact_cases(tasks, *arguments))


def test_every_condition_is_a_case(exact):
    assert len(exact.cases) == len(exact.tasks) == 18
    assert len({case["condition"] for case in exact.cases}) == 18


def test_every_answer_is_what_the_rule_says(exact):
    by_condition = {task.condition: task for task in exact.tasks}
    for case in exact.cases:
        task = next(task for condition, task in by_condition.items() if condition in case["condition"])
        truth = truth_of(task.question)
        for method in case["methods"]:
            assert method["calls"] == len(method["steps"])
            assert all(truth.sufficient(bitset(step["tested"])) == step["same"] for step in method["steps"])
            whole = bitset(method["kept"])
            assert ("not sufficient by the rule" in method["marks"]) == (not truth.sufficient(whole))
            assert ("not a minimum-cost set" in method["marks"]) == (whole not in truth.minimum_cost_sets)
            for record, (kept, without) in method["needed"].items():
                assert truth.sufficient(bitset(kept))
                assert not truth.sufficient(bitset(without))
                assert record not in without


def test_what_jointcore_keeps_is_shown_to_be_needed(exact):
    for case in exact.cases:
        method = next(method for method in case["methods"] if method["name"] == "JointCore")
        assert set(method["needed"]) == set(method["kept"])


def test_a_method_without_a_task_is_named(exact, tmp_path):
    names, outcomes, traces, template = exact.arguments
    write_outcomes(tmp_path / "a", tmp_path / "b", evaluate_tasks(METHODS[2], exact.tasks[:2], SETTINGS))
    with pytest.raises(InputError, match="JointCore lack the task"):
        exact_cases(exact.tasks, names, [*outcomes[:2], tmp_path / "a"], [*traces[:2], tmp_path / "b"], template)


def test_cases_of_models(tmp_path, template):
    chosen = dict(list(LOCAL.items())[:1])
    tasks = list(generate_tasks(GRID))[:3]
    write_models(tmp_path, chosen, tasks=tasks)
    (model,) = chosen
    methods = {method.slug: method.name for method in choose_methods("study")}
    files = ([tmp_path / model / "primary.parquet"], [tmp_path / model / "traces.parquet"])
    cases = model_cases(tasks, methods, {model: "Tiny"}, *files, {model: template})
    assert [case["facets"]["Model"] for case in cases] == ["Tiny"] * 3
    assert all(tasks[0].records[0].name in text for text in cases[0]["details"].values())
    steps = [step for method in cases[0]["methods"] for step in method["steps"]]
    assert {step["decision"] for step in steps} <= {"EXECUTE", "HOLD", None}
    with pytest.raises(InputError, match="which the benchmark lacks"):
        model_cases(tasks[:2], methods, {model: "Tiny"}, *files, {model: template})
