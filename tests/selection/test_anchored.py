"""Anchored JointCore: its order, its questions, its cap, its switch, and its figures on the whole exact grid."""

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.bitsets import members
from jointcore.evaluation.driver import drive
from jointcore.evaluation.exact import evaluate_tasks
from jointcore.selection.catalogue import load_method
from jointcore.selection.methods.jointcore_anchored import deletion_order
from jointcore.selection.protocol import Answer, Memory
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
METHOD = load_method("jointcore_anchored")


@pytest.fixture(scope="module")
def tasks():
    return list(generate_tasks(Grid()))


def search(memory, needed, **changed):
    decide = lambda probes: [Answer(p.retained & needed == needed, 0.0) for p in probes]  # noqa: E731
    return drive(METHOD.start(memory, {**SETTINGS, **changed}), decide)


def falling(count):
    """A memory of falling relevance and equal costs."""
    return Memory("task", (1,) * count, tuple(1 - i / count for i in range(count)))


def test_order_is_far_dearest_first_then_near_by_relevance_then_anchors_dearest_first():
    memory = Memory("task", (1, 3, 2, 5, 4, 7, 6), (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3))
    assert deletion_order(memory, 2) == [5, 6, 4, 3, 2, 1, 0]
    assert deletion_order(memory, 4) == [6, 5, 4, 3, 1, 2, 0]
    assert deletion_order(memory, 9) == [5, 6, 3, 4, 1, 2, 0]


def test_two_decided_sets_that_differ_in_a_kept_record_alone_show_that_it_is_needed():
    trace = search(falling(16), needed=0b10_0000_0001)
    same = [step.probe.retained for step in trace.steps if step.answer.same]
    other = [step.probe.retained for step in trace.steps if not step.answer.same]
    assert trace.selection.retained == same[-1] == 0b10_0000_0001
    for record in members(trace.selection.retained):
        assert any(kept ^ 1 << record in other for kept in [*same, full(16)] if kept >> record & 1)


def full(count):
    return (1 << count) - 1


@pytest.mark.parametrize("count", [16, 64, 1024])
def test_the_dearest_anchor_goes_with_the_rest_in_one_question(count):
    trace = search(falling(count), needed=0b1110)
    assert [step.probe.retained for step in trace.steps] == [0b1110, 0b1100, 0b1010, 0b0110]


def test_where_relevance_misleads_it_halves_what_is_left():
    """The one needed record is the least relevant of 1,024: about as many questions as bisection needs."""
    trace = search(falling(1024), needed=1 << 1023)
    assert trace.selection.retained == 1 << 1023
    assert trace.evaluations <= 15


def test_the_switch_saves_deciding_the_empty_set():
    memory = falling(8)
    assert [s.probe.retained for s in search(memory, 0b1000).steps][-1] == 0
    declared = search(memory, 0b1000, empty_set_fails=True)
    assert declared.selection.retained == 0b1000
    assert all(step.probe.retained for step in declared.steps)


@given(st.integers(1, 20), st.integers(0, 30), st.data())
@settings(deadline=None)
def test_its_cap_ends_it_and_it_says_so(count, cap, data):
    memory = falling(count)
    needed = data.draw(st.integers(0, memory.everything))
    free, capped = search(memory, needed), search(memory, needed, cap=cap)
    assert capped.selection.budget_exhausted == (free.evaluations > cap)
    assert capped.steps == free.steps[:cap]
    assert capped.selection.retained & needed == needed


def test_evaluations_on_the_exact_grid_do_not_depend_on_n(tasks):
    outcomes = list(evaluate_tasks(METHOD, tasks, SETTINGS))
    assert all(outcome.measures.valid_minimum_set for outcome in outcomes)
    by_count = {n: fmean(o.trace.evaluations for o in outcomes if o.task.candidate_count == n) for n in (8, 16, 32, 64)}
    assert fmean(by_count.values()) == pytest.approx(4.916, abs=5e-4)
    assert max(by_count.values()) - min(by_count.values()) <= 0.05


def test_declared_on_the_exact_grid(tasks):
    outcomes = list(evaluate_tasks(METHOD, tasks, {**SETTINGS, "empty_set_fails": True}))
    assert all(outcome.measures.valid_minimum_set for outcome in outcomes)
    assert fmean(outcome.trace.evaluations for outcome in outcomes) == pytest.approx(4.773, abs=5e-4)
