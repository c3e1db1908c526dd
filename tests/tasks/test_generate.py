"""The generated benchmark: worked example, counts, and the invariants of every cell."""

import hashlib
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_task, generate_tasks
from jointcore.tasks.grid import DOMAINS, Cell, CostRange, Costs, Grid
from jointcore.tasks.subsets import development_subset, robustness_subset

MODEL = Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")

cells = st.builds(
    Cell,
    st.sampled_from(DOMAINS),
    st.sampled_from(list(FAMILIES)),
    st.integers(9, 40),
    st.integers(2, 8),
    st.integers(1, 20),
    st.integers(0, 9),
)


def test_worked_example():
    task = generate_task(Cell("orders", "multiple_minimal_sets", 16, 2, 1, 0), 26082701)
    assert task.condition == "orders|multiple_minimal_sets|n=16|s=2|h=1|b=0|26082701"
    assert task.support == (0, 10)
    assert [task.records[i].name for i in task.support] == ["channel_a_1", "channel_b_1"]
    assert [task.records[i].cost for i in task.support] == [3, 3]
    assert sum(record.cost for record in task.records) == 81


@given(cells, st.integers(0, 10**9))
@settings(max_examples=150)
def test_every_task_keeps_the_benchmark_s_promises(cell, seed_base):
    costs = Costs(CostRange(2, 5), CostRange(4, 4), 7)
    task = generate_task(cell, seed_base, costs)
    schema = FAMILIES[cell.family]
    assert [record.id for record in task.records] == list(range(cell.candidate_count))
    assert sorted(task.question.presentation) == list(range(cell.candidate_count))
    assert list(task.support) == sorted(task.support)
    assert len(task.support) == (1 if schema.single_support else cell.support_size)
    support = [task.records[i] for i in task.support]
    others = [record for record in task.records if record.id not in task.support]
    assert [(r.name, r.type, r.value) for r in support] == list(schema.contents(len(support)))
    assert all(2 <= record.cost <= 5 and 0.76 <= record.relevance <= 0.94 for record in support)
    if schema.equal_costs:
        assert len({record.cost for record in support}) == 1
    proxies = [record for record in others if record.type == "proxy"]
    assert len(proxies) == schema.proxy
    if proxies:
        assert proxies[0] == (min(r.id for r in others), "historical_priority_proxy", "proxy", "URGENT", 7, 0.995)
    for record in others:
        if record.type != "proxy":
            assert record[1:5] == (f"context_note_{record.id + 1}", "context_note", f"NOTE_{record.id + 1}", 4)
            assert 0.02 <= record.relevance <= 0.72
    assert all(record.relevance == round(record.relevance, 8) for record in task.records)
    memory = json.dumps({"task": task.key, "version": 1}, sort_keys=True, separators=(",", ":"))
    assert task.task_id == hashlib.sha256(memory.encode()).hexdigest()
    assert task.question.condition.action in ("EXECUTE", "HOLD")


def test_exact_grid_has_6912_distinct_conditions_in_order():
    grid = Grid()
    order = list(grid.cells())
    assert len(order) == len(grid) == len(set(order)) == 6912
    assert order[0] == ("orders", "single_variable", 8, 2, 1, 0)
    assert order[1] == ("orders", "single_variable", 8, 2, 1, 1)
    assert order[4] == ("orders", "single_variable", 8, 2, 4, 0)
    assert order[-1] == ("file_debug", "harmful_stale", 64, 4, 16, 3)


def test_model_grid_and_its_subsets():
    tasks = list(generate_tasks(MODEL))
    assert len(tasks) == len(MODEL) == len({task.question.id for task in tasks}) == 432
    assert (tasks[0].family, tasks[0].cell.domain, tasks[48].family) == ("single_variable", "orders", "redundant_or")
    assert [task.cell.horizon_label for task in tasks[:4]] == [1, 4, 8, 16]
    assert {task.candidate_count for task in tasks} == {16}
    robust = robustness_subset(tasks, 4)
    assert len(robust) == 108
    assert {(task.cell.seed_block, task.cell.horizon_label) for task in robust} == {(0, 1)}
    development = development_subset(tasks, 8)
    assert len(development) == 72
    positions = [tasks.index(task) for task in development if task.family == "redundant_or"]
    assert positions == [48 + round(i * 47 / 7) for i in range(8)]


def test_small_subsets_are_defined():
    tasks = list(generate_tasks(MODEL))[:3]
    assert development_subset(tasks, 8) == tasks
    assert development_subset(tasks, 1) == tasks[:1]
