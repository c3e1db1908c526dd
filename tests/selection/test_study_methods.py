"""The study's searches: the worked example, their order of questions, and what they promise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.bitsets import bitset, full, members
from jointcore.evaluation.driver import drive
from jointcore.evaluation.exact import evaluate_task
from jointcore.selection.catalogue import all_methods, load_method
from jointcore.selection.protocol import Answer, Memory
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
STUDY = [
    "full_memory",
    "random_b",
    "semantic_top_b",
    "independent_leave_one_out",
    "conditional_singleton_cost",
    "jointcore_legacy",
    "jointcore_cost_ordered",
    "exact_oracle",
]

memories = st.integers(1, 10).flatmap(
    lambda n: st.builds(
        Memory,
        st.just("task"),
        st.lists(st.integers(1, 9), min_size=n, max_size=n).map(tuple),
        st.lists(st.sampled_from([0.1, 0.2, 0.5, 0.9]), min_size=n, max_size=n).map(tuple),
    )
)


def scripted(same):
    return lambda probes: [Answer(same(probe.retained), 0.0) for probe in probes]


@pytest.fixture(scope="module")
def example():
    task = generate_task(Cell("orders", "multiple_minimal_sets", 16, 2, 1, 0), 26082701)
    return {slug: evaluate_task(load_method(slug), task, SETTINGS) for slug in STUDY}


def test_worked_example(example):
    kept = {slug: members(outcome.trace.selection.retained) for slug, outcome in example.items()}
    assert kept["semantic_top_b"] == [0, 9, 10, 11]
    assert kept["independent_leave_one_out"] == []
    assert kept["conditional_singleton_cost"] == kept["jointcore_cost_ordered"] == [10]
    assert kept["exact_oracle"] == [0]
    counts = {slug: outcome.trace.evaluations for slug, outcome in example.items()}
    assert counts["independent_leave_one_out"] == counts["conditional_singleton_cost"] == 16
    assert counts["jointcore_cost_ordered"] == 9
    assert not any(counts[slug] for slug in ("full_memory", "random_b", "semantic_top_b", "exact_oracle"))


def test_trace_of_the_worked_example(example):
    trace = example["jointcore_cost_ordered"].trace
    assert [step.probe.group.bit_count() for step in trace.steps] == [16, 8, 8, 4, 4, 2, 2, 1, 1]
    assert [i for i, dropped in enumerate(trace.dropped(), 1) if dropped] == [2, 4, 6, 8]
    retained = full(16)
    for step, dropped in zip(trace.steps, trace.dropped(), strict=True):
        assert step.probe.retained == retained & ~step.probe.group
        retained &= ~dropped
    assert retained == trace.selection.retained


def test_study_methods_come_first_in_the_paper_s_order():
    assert [method.slug for method in all_methods()][: len(STUDY)] == STUDY
    assert [method.slug for method in all_methods() if method.study] == STUDY


def test_orders_break_ties_by_lower_id():
    memory = Memory("t", (5, 5, 9, 1), (0.5, 0.7, 0.5, 0.7))
    assert memory.by_ascending_relevance() == [0, 2, 1, 3]
    assert memory.most_relevant(2) == [1, 3]
    assert memory.by_descending_cost() == [2, 0, 1, 3]
    assert memory.anchored_order(3) == ([2], [0, 1, 3])


@given(memories, st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_conditional_searches_end_with_a_set_that_was_decided_the_same(memory, random):
    """For any deterministic decider, monotone or not."""
    table = {}

    def same(retained):
        return table.setdefault(retained, random.random() < 0.5)

    for slug in ("conditional_singleton_cost", "jointcore_legacy", "jointcore_cost_ordered"):
        trace = drive(load_method(slug).start(memory, SETTINGS), scripted(same))
        retained = trace.selection.retained
        assert retained == memory.everything or table[retained]
        assert not trace.selection.budget_exhausted
        limit = memory.count if slug == "conditional_singleton_cost" else 2 * memory.count - 1
        assert trace.evaluations <= limit


@given(memories, st.integers(0, 12), st.data())
def test_cap_ends_group_deletion_and_says_so(memory, cap, data):
    needed = data.draw(st.integers(0, memory.everything))
    search = load_method("jointcore_legacy").start(memory, {"cap": cap})
    trace = drive(search, scripted(lambda retained: retained & needed == needed))
    assert trace.evaluations <= cap
    free = drive(load_method("jointcore_legacy").start(memory, SETTINGS), scripted(lambda r: r & needed == needed))
    assert trace.selection.budget_exhausted == (free.evaluations > cap)
    assert trace.steps == free.steps[:cap]
    assert trace.selection.retained & needed == needed


@given(memories, st.data())
def test_leave_one_out_keeps_what_changes_the_decision_alone(memory, data):
    needed = data.draw(st.integers(0, memory.everything))
    search = load_method("independent_leave_one_out").start(memory, {})
    trace = drive(search, scripted(lambda retained: retained & needed == needed))
    assert trace.selection.retained == needed
    assert trace.evaluations == memory.count


def test_static_methods():
    task = generate_task(Cell("orders", "proxy_confounded", 16, 4, 1, 0), 26082701)
    memory = task.question.memory
    top = drive(load_method("semantic_top_b").start(memory, {"budget": 4}), scripted(bool))
    proxy = next(record.id for record in task.records if record.type == "proxy")
    assert top.selection.retained >> proxy & 1
    assert top.selection.retained.bit_count() == 4
    chosen = drive(load_method("random_b").start(memory, {"budget": 3}), scripted(bool)).selection.retained
    assert chosen.bit_count() == 3
    assert chosen == drive(load_method("random_b").start(memory, {"budget": 3}), scripted(bool)).selection.retained
    oracle = load_method("exact_oracle").start(memory, {"minimum_cost_sets": (bitset([1, 2]), bitset([3]))})
    assert drive(oracle, scripted(bool)).selection.retained == bitset([1, 2])
