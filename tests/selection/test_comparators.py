"""The field's own searches: against picire, against worked examples, and against known figures."""

import importlib.metadata
import sys
from statistics import fmean
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.bitsets import bitset, members
from jointcore.evaluation.driver import drive
from jointcore.evaluation.exact import evaluate_tasks
from jointcore.selection.catalogue import load_method
from jointcore.selection.delta_debugging import ddmin
from jointcore.selection.methods.probdd import largest_gain
from jointcore.selection.protocol import Answer, Memory
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

# picire asks setuptools' pkg_resources, which is no longer shipped, for its own version.
sys.modules.setdefault("pkg_resources", SimpleNamespace(get_distribution=importlib.metadata.distribution))
picire = pytest.importorskip("picire")

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
EXACT, MODEL = Grid(), Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")


@pytest.fixture(scope="module")
def tasks():
    return {len(grid): list(generate_tasks(grid)) for grid in (EXACT, MODEL)}


def falling(count):
    return Memory("task", (1,) * count, tuple(1 - i / count for i in range(count)))


def run(slug, memory, decide, **changed):
    search = load_method(slug).start(memory, {**SETTINGS, **changed})
    return drive(search, lambda probes: [decide(p) for p in probes])


@given(st.integers(1, 12), st.randoms(use_true_random=False), st.sampled_from([0.1, 0.5, 0.9]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_ddmin_asks_what_picire_asks(count, random, share, monotone):
    memory = falling(count)
    order = list(range(count))
    random.shuffle(order)
    needed = bitset(i for i in range(count) if random.random() < share / 2)
    table = {memory.everything: True}

    def same(kept):
        if monotone:
            return kept & needed == needed
        return table.setdefault(kept, random.random() < share)

    asked = []

    def test(config, config_id):
        kept = bitset(config)
        if "assert" not in config_id:
            asked.append(kept)
        return picire.Outcome.FAIL if same(kept) else picire.Outcome.PASS

    reduced = picire.DD(test, split=picire.config_splitters.ZellerSplit(), cache=picire.ConfigCache())(order)
    trace = drive(ddmin(memory, order), lambda probes: [Answer(same(p.retained), 0.0) for p in probes])
    assert [step.probe.retained for step in trace.steps] == asked
    assert trace.selection.retained == bitset(reduced)


def test_quickxplain_step_by_step():
    """Needed: records 0 and 5 of 8; preferred: 3, 2, 1, 0 (the anchors, reversed), then 4, 5, 6, 7."""
    trace = run("quickxplain", falling(8), lambda p: Answer(p.retained & 0b100001 == 0b100001, 0.0))
    assert [members(step.probe.retained) for step in trace.steps] == [
        [0, 1, 2, 3],  # is the first half enough?
        [0, 1, 2, 3, 4, 5],  # with the first half of the second it is
        [0, 1, 2, 3, 4],  # so 5 is needed
        [0, 1, 2, 3, 5],  # and 4 is not
        [5],  # does 5 need anything of the first half?
        [2, 3, 5],
        [1, 2, 3, 5],  # so 0 is needed
        [0, 2, 3, 5],  # and 1 is not
        [0, 5],  # nor 2 and 3
    ]
    assert members(trace.selection.retained) == [0, 5]


def test_probdd_takes_the_group_with_the_largest_expected_gain():
    # 9 (0.9^9) = 3.487 and 10 (0.9^10) = 3.487 differ in the 16th digit only; one record more loses.
    group, free = largest_gain(list(range(20)), dict.fromkeys(range(20), 0.1))
    assert len(group) in (9, 10)
    assert free == pytest.approx(0.9 ** len(group))
    assert largest_gain([0, 1], {0: 0.3, 1: 0.8}) == ([0], pytest.approx(0.7))


def test_probdd_raises_the_probability_of_a_failed_group_by_bayes_rule():
    """Four needed records: 0.1 / (1 - 0.9^4) = 0.29 each, so three; of these 0.29 / (1 - 0.71^3) = 0.45 each, so the
    untouched one and one of these, which then have 0.44 and 0.73; so the two at 0.45; then each alone."""
    trace = run("probdd", falling(4), lambda p: Answer(p.retained == 0b1111, 0.0))
    assert [step.probe.group.bit_count() for step in trace.steps] == [4, 3, 2, 2, 1, 1, 1, 1]
    assert trace.selection.retained == 0b1111


def test_sufficient_input_subset_follows_the_margin():
    """Record 1 counts 2, record 3 counts 1.5; together they pass the threshold of 3."""
    worth = {1: 2.0, 3: 1.5}

    def decide(probe):
        margin = sum(worth.get(i, 0.1) for i in members(probe.retained)) - 3
        return Answer(margin > 0, margin)

    trace = run("sufficient_input_subsets", falling(5), decide)
    assert members(trace.selection.retained) == [1, 3]
    assert trace.evaluations == 14
    assert [step.probe.retained.bit_count() for step in trace.steps] == [4] * 5 + [3] * 4 + [2] * 3 + [1] * 2


def test_cmi_needs_utility_and_stability():
    """Record 0 helps by being true, 1 helps either way (stability 0), 2 helps only if false, 3 does not help."""
    alone = {0b0001: (1, -1), 0b0010: (1, 1), 0b0100: (1, 2), 0b1000: (-1, -1)}

    def decide(probe):
        margin = alone[probe.retained][bool(probe.altered)] if probe.retained else -1
        return Answer(margin > 0, float(margin))

    trace = run("cmi_margin", falling(4), decide)
    assert members(trace.selection.retained) == [0, 1]
    assert [(s.probe.retained, s.probe.altered) for s in trace.steps] == [
        (0, 0),
        *[(1 << i, altered) for i in range(4) for altered in (0, 1 << i)],
    ]
    assert members(run("cmi_all", falling(4), decide).selection.retained) == [0, 1, 2]
    assert members(run("cmi_top3", falling(4), decide).selection.retained) == [0, 1, 2]


def test_cmi_selects_nothing_from_invalid_decisions():
    trace = run("cmi_margin", falling(3), lambda p: Answer(False, float("-inf")))
    assert trace.selection.retained == 0


@pytest.mark.parametrize(
    ("slug", "grid", "figures"),
    [
        ("cmi_all", MODEL, (0.3333, 0.1111, 0.9595, 33)),
        ("cmi_top4", MODEL, (0.3333, 0.1111, 0.9595, 9)),
        ("cmi_top3", MODEL, (0.3333, 0.1111, 0.9631, 7)),
        ("cmi_margin", MODEL, (0.3333, 0.1111, 0.9595, 33)),
        ("cmi_all", EXACT, (0.3333, 0.1111, 0.9636, 61)),
        ("cmi_top4", EXACT, (0.3333, 0.1111, 0.9636, 9)),
        ("cmi_top3", EXACT, (0.3333, 0.1111, 0.9666, 7)),
        ("quickxplain", EXACT, (1, 1, 0.8776, 6.7305)),
        ("ddmin", EXACT, (1, 0.8974, 0.8736, 11.5428)),
        ("ddmin_relevant_first", EXACT, (1, 1, 0.8776, 9.3372)),
        ("probdd", EXACT, (1, 0.9589, 0.8763, 9.8701)),
        ("sufficient_input_subsets", MODEL, (1, 1, 0.8693, 135)),
    ],
)
def test_figures_under_the_logical_rule(tasks, slug, grid, figures):
    outcomes = list(evaluate_tasks(load_method(slug), tasks[len(grid)], SETTINGS))
    measured = (
        fmean(o.measures.exact_sufficiency for o in outcomes),
        fmean(o.measures.valid_minimum_set for o in outcomes),
        fmean(o.measures.active_token_savings for o in outcomes),
        fmean(o.trace.evaluations for o in outcomes),
    )
    assert measured == pytest.approx(figures, abs=5e-5)
