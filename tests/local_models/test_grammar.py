"""Training questions are the benchmark's own in form, right in their answers, and no grid's in content."""

from collections import Counter
from random import Random

import pytest

from jointcore.bitsets import bitset, full
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.protocol import Query
from jointcore.local_models.grammar import (
    TRAINING_SEED_BASE,
    Mixture,
    draw_example,
    draw_retained,
    draw_task,
    reads_as_satisfied,
)
from jointcore.logic.oracle import oracle
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell, Grid
from local_models.cases import GRID

QUESTIONS = 3000


@pytest.fixture(scope="module")
def examples():
    rng = Random(1)
    return [draw_example(rng, GRID, Mixture()) for _ in range(QUESTIONS)]


def test_answers_are_the_logical_rule_s(examples):
    decisions = LogicalRule().decide([query for query, _ in examples])
    assert [decision.action for decision in decisions] == [action for _, action in examples]


def test_every_form_of_a_question_is_drawn(examples):
    queries = [query for query, _ in examples]
    assert {query.question.condition.kind for query in queries} == set(FAMILIES)
    assert {query.interface for query in queries} == set(INTERFACES)
    assert {query.label_style for query in queries} == set(LABEL_STYLES)
    assert {query.workflow_action for query in queries} == {None, "EXECUTE", "HOLD"}
    assert any(query.altered for query in queries)
    assert {dict(query.question.setting)["horizon"] for query in queries} == set(GRID.horizon_labels)
    assert {
        len(query.question.condition.required) for query in queries if query.question.condition.kind == "synergy_and"
    } == {2, 4}


def test_answers_are_balanced(examples):
    answers = Counter(
        action == query.question.condition.action for query, action in examples if query.workflow_action is None
    )
    assert abs(answers[True] / answers.total() - 0.5) < 4 * (0.25 / answers.total()) ** 0.5


def test_no_training_task_is_a_grid_s(examples):
    largest = max(
        generate_task(cell, grid.seed_base).seed
        for grid in (Grid(candidate_counts=(8,), seed_blocks=(3,)), GRID)
        for cell in grid.cells()
    )
    assert largest < TRAINING_SEED_BASE <= min(draw_task(Random(seed), GRID).seed for seed in range(1000))


def test_no_question_shows_full_memory(examples):
    workflow = [query for query, _ in examples if query.workflow_action is None]
    assert all(query.retained & ~query.altered != full(query.question.memory.count) for query in workflow)


def test_same_seed_draws_the_same(examples):
    rng = Random(1)
    assert [draw_example(rng, GRID, Mixture()) for _ in range(50)] == examples[:50]


@pytest.mark.parametrize("satisfied", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_boundary_sets_change_the_answer_with_one_record(family, satisfied):
    rng = Random(2)
    for _ in range(30):
        task = draw_task(rng, Grid(families=(family,)))
        rule = oracle(family, task.support, [record.cost for record in task.records]).sufficient
        kept = draw_retained(rng, task, satisfied, boundary=1)
        assert rule(kept) is satisfied
        assert any(rule(kept ^ 1 << identifier) is not satisfied for identifier in task.support)


def test_others_are_kept_in_every_number():
    rng = Random(3)
    task = draw_task(rng, GRID)
    others = full(16) & ~bitset(task.support)
    counts = {(draw_retained(rng, task, True, 1) & others).bit_count() for _ in range(500)}
    assert counts == set(range(others.bit_count() + 1))


@pytest.mark.parametrize("family", FAMILIES)
def test_small_tasks_have_room_for_support_proxy_and_a_distractor(family):
    rng = Random(4)
    grid = Grid(families=(family,), candidate_counts=(4,), support_sizes=(4,))
    sizes = {draw_task(rng, grid).candidate_count for _ in range(5)}
    assert sizes == {{"single_variable": 4, "proxy_confounded": 6}.get(family, 5)}


def test_altered_flags_that_read_as_satisfied_are_known():
    task = generate_task(Cell("orders", "synergy_xor", 8, 2, 1, 0), 5)
    first, second = (1 << identifier for identifier in task.support)
    read = {
        retained: reads_as_satisfied(Query(task.question, retained, interface="counterfactual"))
        for retained in (0, first, second)
    }
    # Both opposite: OFF, ON. The first alone: ON, ON. The second alone: OFF, OFF.
    assert read == {0: True, first: False, second: False}
    assert reads_as_satisfied(Query(task.question, first | second, altered=first | second))
    assert not any(
        reads_as_satisfied(Query(task.question, 0, interface=i)) for i in INTERFACES if i != "counterfactual"
    )


def test_no_question_reads_otherwise_than_it_is_answered(examples):
    read = [
        (reads_as_satisfied(query), action == query.question.condition.action)
        for query, action in examples
        if query.question.condition.kind == "synergy_xor" and query.workflow_action is None
    ]
    assert (True, True) in read
    assert (True, False) not in read
