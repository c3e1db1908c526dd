"""Perturbed relevance, erring decisions, and sweeps over both."""

from statistics import fmean, pstdev

import pandas as pd
import pyarrow as pa
import pytest

from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.evaluation.exact import evaluate_task
from jointcore.evaluation.stress.perturbation import SHUFFLE, perturbed
from jointcore.evaluation.stress.scenarios import (
    BY_FAMILY,
    Scenario,
    budget_scenarios,
    decision_scenarios,
    relevance_scenarios,
)
from jointcore.evaluation.stress.storage import SCHEMA, read_limits, read_rows, write_rows
from jointcore.evaluation.stress.sweep import sweep
from jointcore.hashing import unit_interval
from jointcore.logic.oracle import rule_of
from jointcore.selection.catalogue import all_methods, load_method
from jointcore.statistics.stress_means import stress_means
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


@pytest.fixture(scope="module")
def tasks():
    return list(generate_tasks(Grid(candidate_counts=(8, 64), horizon_labels=(1,), seed_blocks=(0,))))


def rule(task):
    return rule_of(task.question)


def test_noise_has_the_standard_deviation_asked_for(tasks):
    memories = [task.question.memory for task in tasks]
    for noise in (0.05, 1):
        changes = [
            new - old
            for memory in memories
            for old, new in zip(memory.relevance, perturbed(memory, noise, 0).relevance, strict=True)
        ]
        assert len(changes) > 7000
        assert fmean(changes) == pytest.approx(0, abs=0.03 * noise)
        assert pstdev(changes) == pytest.approx(noise, rel=0.03)


def test_noise_is_seeded_by_task_and_seed_and_scales(tasks):
    first, second = tasks[0].question.memory, tasks[1].question.memory
    assert perturbed(first, 0, 5) == first
    assert perturbed(first, 0.1, 5) == perturbed(first, 0.1, 5)
    assert perturbed(first, 0.1, 5).costs == first.costs

    def change(memory, noise, seed):
        pairs = zip(memory.relevance, perturbed(memory, noise, seed).relevance, strict=True)
        return [new - old for old, new in pairs]

    assert change(first, 1, 5) == pytest.approx([10 * x for x in change(first, 0.1, 5)], abs=1e-6)
    assert change(first, 0.1, 5) != pytest.approx(change(first, 0.1, 6), abs=1e-3)
    assert change(first, 0.1, 5) != pytest.approx(change(second, 0.1, 5), abs=1e-3)


def test_shuffle_deals_the_same_scores(tasks):
    memory = tasks[-1].question.memory
    dealt = perturbed(memory, SHUFFLE, 0).relevance
    assert sorted(dealt) == sorted(memory.relevance)
    assert dealt != memory.relevance
    assert dealt != perturbed(memory, SHUFFLE, 1).relevance


@pytest.mark.parametrize("errors", [Errors(0.2, seed=7), Errors(0.1, {"synergy_xor": 0.5, "threshold": 0.0}, seed=1)])
def test_errors_are_hashes_of_what_is_asked(tasks, errors):
    """However it is asked: one set at a time in the exact stage, queries side by side in the model stage."""
    noisy = NoisyRule(errors)
    for task in tasks[::5]:
        question, verdict = task.question, noisy.open(task.question)
        sets = [question.everything, 0, *(question.everything & ~(1 << i) for i in range(8))]
        probes = [(retained, altered) for retained in sets for altered in (0, retained & 3)]
        decided = noisy.decide([Query(question, *probe) for probe in probes])
        assert decided == verdict([(retained, 0, altered) for retained, altered in probes])
        for (retained, altered), decision in zip(probes, decided, strict=True):
            shown = "" if retained == question.everything else "typed_mask"
            drawn = unit_interval(errors.seed, "error", question.id, retained, altered, shown, "boolean", "")
            right = rule(task)(retained & ~altered) == (decision.action == question.condition.action)
            assert right == (drawn >= errors.of(task.family))


def test_more_errors_are_the_same_ones_and_more(tasks):
    question = tasks[0].question
    sets = [(retained, 0, 0) for retained in range(256)]
    right, wrong = LogicalRule().open(question)(sets), {}
    for rate in (0.0, 0.05, 0.2, 0.6):
        decided = NoisyRule(Errors(rate, seed=3)).open(question)(sets)
        wrong[rate] = {s for s in range(256) if decided[s] != right[s]}
        assert len(wrong[rate]) == pytest.approx(256 * rate, abs=25)
    assert wrong[0.0] < wrong[0.05] < wrong[0.2] < wrong[0.6]


@pytest.mark.parametrize("slug", ["jointcore_anchored", "cmi_top3", "exact_oracle"])
def test_without_noise_and_errors_a_sweep_is_the_exact_stage(tasks, slug):
    method = load_method(slug)
    rows = list(sweep(method, tasks, [Scenario(4, label="0")], SETTINGS))
    outcomes = [evaluate_task(method, task, SETTINGS) for task in tasks]
    assert sum(row["conditions"] for row in rows) == len(tasks)
    for row in rows:
        own = [
            o
            for o in outcomes
            if (o.task.family, o.task.candidate_count, o.task.cell.support_size)
            == (row["family"], row["candidate_count"], row["support_size"])
        ]
        assert row["conditions"] == len(own)
        assert row["evaluations"] == pytest.approx(fmean(o.trace.evaluations for o in own))
        assert row["exact_sufficiency"] == row["behavior"] == fmean(o.measures.exact_sufficiency for o in own)
        assert row["active_token_savings"] == pytest.approx(fmean(o.measures.active_token_savings for o in own))
        assert row["reference_correct"] == 1


def test_with_errors_what_is_decided_and_what_is_true_part(tasks):
    scenarios = decision_scenarios([0.2], {}, [0, 1], 4)
    for method in all_methods():
        if method.costly:
            continue
        rows = pd.DataFrame(sweep(method, tasks[::2], scenarios, SETTINGS))
        if method.keeps_decision:
            assert (rows["behavior"] == 1).all(), method.slug
            assert rows["reference_correct"].mean() == pytest.approx(0.8, abs=0.12)
        if method.keeps_decision and method.uses:
            assert rows["exact_sufficiency"].mean() < 0.9, method.slug


def test_scenarios():
    assert [(s.noise, s.seed) for s in relevance_scenarios([0, 0.1, SHUFFLE], [4, 5], 3)] == [
        (0, 4),
        (0.1, 4),
        (0.1, 5),
        (SHUFFLE, 4),
        (SHUFFLE, 5),
    ]
    budgets = budget_scenarios([1, 2], [0, 0.1], [7])
    assert [(s.budget, s.noise, s.label) for s in budgets] == [(1, 0, "1"), (1, 0.1, "1"), (2, 0, "2"), (2, 0.1, "2")]
    decisions = decision_scenarios([0, 0.1], {"threshold": 0.3}, [1, 2], 4)
    assert [(s.label, s.errors.seed) for s in decisions] == [
        ("0", 1),
        ("0.1", 1),
        ("0.1", 2),
        (BY_FAMILY, 1),
        (BY_FAMILY, 2),
    ]
    assert decisions[-1].errors.of("threshold") == 0.3
    assert decisions[-1].errors.of("synergy_and") == 0
    assert decision_scenarios([0.1], {}, [1], 4)[-1].label == "0.1"


def test_results_are_kept_and_checked(tasks, tmp_path):
    rows = list(sweep(load_method("quickxplain"), tasks, [Scenario(4, 0.2, 1, label="0.2")], SETTINGS))
    path = tmp_path / "rows.parquet"
    assert write_rows(path, rows) == len(rows)
    assert [row for batch in read_rows(path) for row in batch.to_pylist()] == rows
    with pytest.raises(InputError, match="does not hold limits"):
        list(read_limits(path))


def test_means_weigh_conditions_and_seeds():
    row = dict.fromkeys(SCHEMA.names, 0.0) | {"method": "m", "level": "0.1", "budget": 4, "noise": "0.1"}
    rows = [
        row | {"family": "a", "candidate_count": 8, "support_size": 2, "conditions": 3, "seed": 0, "evaluations": 1.0},
        row | {"family": "a", "candidate_count": 8, "support_size": 2, "conditions": 3, "seed": 1, "evaluations": 3.0},
        row | {"family": "b", "candidate_count": 16, "support_size": 2, "conditions": 2, "seed": 0, "evaluations": 8.0},
    ]
    batch = pa.RecordBatch.from_pylist(rows, SCHEMA)
    means = stress_means({"m": [batch]}, [{"slug": "m", "name": "Mine"}]).set_index(["grouping", "group"])
    assert means.loc[("all", "all"), "evaluations"] == pytest.approx((3 + 9 + 16) / 8)
    assert means.loc[("all", "all"), ["conditions", "seeds"]].tolist() == [8, 2]
    assert means.loc[("family", "a"), "evaluations"] == pytest.approx(2)
    assert means.loc[("n", "16"), "evaluations"] == pytest.approx(8)
