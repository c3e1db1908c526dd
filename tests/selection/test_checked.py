"""The search that checks: right where the judge is, and right where its errors are independent."""

import random

import pytest

from jointcore.bitsets import full
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.evaluation.driver import drive
from jointcore.evaluation.loop import run_method
from jointcore.logic.oracle import truth_of
from jointcore.selection.catalogue import load_method
from jointcore.selection.checked_search import UNSTABLE
from jointcore.selection.protocol import Answer, Memory
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
TASKS = list(generate_tasks(Grid(horizon_labels=(1,), seed_blocks=(0,), domains=("orders", "calendar"))))
CHECKED, MAJORITY = load_method("jointcore_checked"), load_method("jointcore_checked_majority")
MEMORY = Memory("m", (5, 4, 3, 2, 1, 6, 7, 8), (0.9, 0.8, 0.7, 0.6, 0.1, 0.2, 0.3, 0.4))
NEEDED = 0b11


def run(method, decide, memory=MEMORY, **changes):
    """Drive a method with a function of the retained set that says whether the decision is the reference."""
    asked = []

    def answers(probes):
        asked.extend(probe.retained for probe in probes)
        same = [decide(probe.retained) for probe in probes]
        return [Answer(each, 1.0 if each else -1.0) for each in same]

    trace = drive(method.start(memory, {**SETTINGS, **changes}), answers)
    assert len(asked) == len(set(asked)), "a set was asked twice"
    return trace


def needed(retained):
    return retained & NEEDED == NEEDED


@pytest.mark.parametrize("method", [CHECKED, MAJORITY])
def test_without_errors_it_finds_what_is_right_for_one_question_more(method):
    more = 0
    for task in TASKS:
        truth = truth_of(task.question)
        found = run_method(method, task.question, LogicalRule(), SETTINGS, truth)
        plain = run_method(load_method("jointcore_anchored"), task.question, LogicalRule(), SETTINGS, truth)
        assert found.retained in truth.minimum_cost_sets
        more += found.trace.evaluations - plain.trace.evaluations
        assert found.trace.selection.note == ""
    assert more / len(TASKS) <= 1.0


def test_one_wrong_same_is_found_and_undone():
    """The judge wrongly says that the decision stays without record 0, once, in the largest set that lacks it."""
    steps = run(CHECKED, needed).steps
    wrong = next(step.probe.retained for step in steps if not step.probe.retained & 1 and not step.answer.same)
    trace = run(CHECKED, lambda retained: needed(retained) or retained == wrong)
    assert trace.selection.retained == NEEDED
    assert trace.evaluations > run(CHECKED, needed).evaluations
    plain = run(load_method("jointcore_anchored"), lambda retained: needed(retained) or retained == wrong)
    assert not needed(plain.selection.retained)


@pytest.mark.parametrize("rate", [0.05, 0.1])
def test_under_independent_errors_it_is_right_far_more_often(rate):
    kept = {}
    for slug in ("jointcore_anchored", "jointcore_checked", "jointcore_checked_majority"):
        judge = NoisyRule(Errors(rate, seed=11))
        runs = [(task, run_method(load_method(slug), task.question, judge, SETTINGS)) for task in TASKS]
        kept[slug] = sum(truth_of(task.question).sufficient(found.retained) for task, found in runs) / len(runs)
    assert kept["jointcore_checked"] > 0.9 > kept["jointcore_anchored"]
    assert kept["jointcore_checked_majority"] > 0.9


def test_a_reference_that_flips_is_said_and_nothing_is_dropped_on_it():
    """Full memory alone is decided wrongly: whatever is sufficient is decided otherwise."""
    trace = run(CHECKED, lambda retained: not needed(retained))
    assert trace.selection.note == UNSTABLE
    assert trace.selection.retained == full(8)
    trace = run(MAJORITY, lambda retained: not needed(retained))
    assert trace.selection.note == UNSTABLE
    assert trace.selection.retained == NEEDED


def test_where_nothing_is_needed_the_empty_set_stands():
    trace = run(CHECKED, lambda retained: True)
    assert trace.selection.retained == 0
    assert trace.selection.note == ""


@pytest.mark.parametrize("method", [CHECKED, MAJORITY])
def test_it_ends_whatever_the_judge_says(method):
    for seed in range(100):
        rng = random.Random(seed)
        trace = run(method, lambda retained, rng=rng: rng.random() < 0.5)
        assert trace.evaluations <= 2**8
        assert 0 <= trace.selection.retained <= full(8)


def test_what_it_says_was_dropped_is_what_is_gone():
    for seed in range(100):
        rng = random.Random(seed)
        trace = run(CHECKED, lambda retained, rng=rng: needed(retained) != (rng.random() < 0.2))
        dropped = 0
        for records in trace.dropped():
            assert not dropped & records
            dropped |= records
        assert dropped == full(8) & ~trace.selection.retained


def test_the_cap_ends_it_with_the_last_accepted_set():
    trace = run(CHECKED, needed, cap=2)
    assert trace.evaluations == 2
    assert trace.selection.budget_exhausted
    assert needed(trace.selection.retained)


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("method", [CHECKED, MAJORITY])
def test_small_memories(method, count):
    memory = Memory("m", (3,) * count, (0.5,) * count)
    assert run(method, lambda retained: retained == full(count), memory).selection.retained == full(count)
