import math

import numpy as np
import pytest

from jointcore.statistics.gates import (
    evaluation_reduction,
    exact_lower_bound,
    model_gates,
    non_inferiority,
    savings,
    task_loss,
)
from jointcore.statistics.registered_tests import registered_tests

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"


@pytest.mark.parametrize(("ci_low", "passed"), [(-0.0499, True), (-0.05, False), (-0.06, False), (0.01, True)])
def test_non_inferiority_is_strict(ci_low: float, passed: bool) -> None:
    gate = non_inferiority(ci_low)
    assert (gate.value, gate.threshold, gate.passed) == (ci_low, -0.05, passed)


@pytest.mark.parametrize(
    ("singleton", "jointcore", "passed"),
    [(0.52, 0.50, True), (0.5201, 0.50, False), (0.4, 0.5, True), (0.32, 0.3, True)],
)
def test_task_loss_allows_the_border(singleton: float, jointcore: float, passed: bool) -> None:
    gate = task_loss(singleton, jointcore)
    assert gate.value == pytest.approx(singleton - jointcore, abs=1e-15)
    assert gate.passed is passed


@pytest.mark.parametrize(
    ("singleton", "jointcore", "value", "passed"),
    [(16.0, 13.6, 0.15, True), (16.0, 13.7, 0.14375, False), (16.0, 9.97, 0.376875, True), (16.0, 20.0, -0.25, False)],
)
def test_evaluation_reduction(singleton: float, jointcore: float, value: float, passed: bool) -> None:
    gate = evaluation_reduction(singleton, jointcore)
    assert gate.value == pytest.approx(value, abs=1e-12)
    assert gate.passed is passed


def test_an_undefined_value_does_not_pass_and_says_why() -> None:
    gate = evaluation_reduction(0.0, 0.0)
    assert math.isnan(gate.value)
    assert gate.passed is False
    assert gate.note == "undefined: the singleton method asked nothing"
    assert savings(math.nan).passed is False
    assert savings(math.nan).note != ""


@pytest.mark.parametrize(("mean", "passed"), [(0.5, True), (0.499, False), (0.88, True)])
def test_savings(mean: float, passed: bool) -> None:
    assert savings(mean).passed is passed


def test_gates_of_every_model_read_the_right_columns(make_frame) -> None:
    frame = make_frame(("llama33_70b_4bit", "qwen25_14b"), tasks=50)
    gates = model_gates(frame)
    assert gates["model"].tolist() == ["qwen25_14b"] * 4 + ["llama33_70b_4bit"] * 4
    registered = registered_tests(frame, draws=10)
    for model in ("qwen25_14b", "llama33_70b_4bit"):
        own = frame[frame["model"] == model]
        means = own.groupby("method")[["trajectory_success", "intervention_count", "active_token_savings"]].mean()
        behavior = registered[(registered["model"] == model) & (registered["measure"] == "behavioral_sufficiency")]
        asked = means["intervention_count"]
        expected = [
            behavior["ci_low"].item(),
            means.loc[SINGLETON, "trajectory_success"] - means.loc[JOINTCORE, "trajectory_success"],
            (asked[SINGLETON] - asked[JOINTCORE]) / asked[SINGLETON],
            means.loc[JOINTCORE, "active_token_savings"],
        ]
        rows = gates[gates["model"] == model]
        assert rows["value"].to_numpy() == pytest.approx(np.array(expected), abs=1e-12)
        assert rows["threshold"].tolist() == [-0.05, 0.02, 0.15, 0.5]


def test_refuses_a_frame_without_the_pair(make_frame) -> None:
    with pytest.raises(ValueError, match="Method 'conditional_singleton_cost' has no rows"):
        model_gates(make_frame(tasks=2, methods=(JOINTCORE,)))


@pytest.mark.parametrize(("tasks", "bound"), [(1, -0.975), (10, -0.3085), (432, -0.0085)])
def test_tasks_that_all_agree_are_bounded_exactly(make_frame, tasks: int, bound: float) -> None:
    frame = make_frame(("qwen25_14b",), tasks=tasks, families=("a",)).assign(behavioral_sufficiency=True)
    gate = model_gates(frame, replicates=20).iloc[0]
    assert gate["value"] == pytest.approx(bound, abs=5e-5)
    # Clopper and Pearson: with that share of losses, none of the tasks shows one in 2.5% of all samples.
    assert (1 + gate["value"]) ** tasks == pytest.approx(0.025)
    assert gate["passed"] == (tasks == 432)
    assert f"exact bound of {tasks} equal tasks" in gate["note"]


def test_one_task_passes_no_gate(make_frame) -> None:
    gates = model_gates(make_frame(("qwen25_14b",), tasks=1), replicates=20)
    assert not gates["passed"].any()
    assert (gates["note"] != "").all()


def test_the_exact_bound_of_equal_differences() -> None:
    u = 1 - 0.025 ** (1 / 12)
    assert exact_lower_bound(0.0, 12) == pytest.approx(-u)
    assert exact_lower_bound(1.0, 12) == pytest.approx(1 - 2 * u)
    assert exact_lower_bound(-1.0, 12) == -1.0
