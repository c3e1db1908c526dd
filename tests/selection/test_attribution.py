"""Context attribution: weights against the packages' own, known answers, invalid decisions."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.bitsets import members
from jointcore.evaluation.driver import drive
from jointcore.selection.attribution import ask_all, lasso_weights, masks_of, smallest_prefix
from jointcore.selection.catalogue import load_method
from jointcore.selection.group_attribution import split
from jointcore.selection.protocol import Answer, Memory

SLUGS = ("context_cite", "context_cite_32", "kernel_shap", "sampled_shapley", "hierarchical_loo", "group_screening")
COUNT = 16


def memory(count=COUNT):
    return Memory("task", (1,) * count, tuple(1 - i / count for i in range(count)))


def additive(weights, threshold):
    """A judge whose margin is a sum over the retained records."""

    def decide(probe):
        margin = sum(weights[i] for i in members(probe.retained)) - threshold
        return Answer(margin > 0, margin)

    return decide


def run(slug, decide, count=COUNT, empty_set_fails=False):
    search = load_method(slug).start(memory(count), {"empty_set_fails": empty_set_fails})
    return drive(search, lambda probes: list(map(decide, probes)))


#: Two records that matter, two that matter less, noise.
WEIGHTS = [0.01 * (i % 3) for i in range(COUNT)]
WEIGHTS[3], WEIGHTS[11], WEIGHTS[5], WEIGHTS[8] = 5.0, 4.0, 1.0, 0.5


@pytest.mark.parametrize("slug", SLUGS)
def test_the_records_that_matter_are_found(slug):
    trace = run(slug, additive(WEIGHTS, 8.5))
    assert set(members(trace.selection.retained)) == {3, 11}


@pytest.mark.parametrize(("slug", "evaluations"), [("context_cite", 66), ("context_cite_32", 34), ("kernel_shap", 26)])
def test_evaluations(slug, evaluations):
    """The ablations, and the prefixes of none (which KernelSHAP knows), one and two records."""
    trace = run(slug, additive(WEIGHTS, 8.5))
    assert trace.evaluations <= evaluations + 1
    assert trace.evaluations >= evaluations - 4  # small sets may repeat
    assert run(slug, additive(WEIGHTS, 8.5), empty_set_fails=True).evaluations <= trace.evaluations


def test_shapley_values_of_an_additive_margin_are_its_weights():
    seen = {}

    def decide(probe):
        seen[probe.retained] = additive(WEIGHTS, 8.5)(probe)
        return seen[probe.retained]

    for slug in ("sampled_shapley", "kernel_shap"):
        order = sorted(range(COUNT), key=lambda i: -WEIGHTS[i])
        # Below the threshold of the best record alone, one is enough; above all of them, none but full memory is.
        assert list(members(run(slug, additive(WEIGHTS, 4.5)).selection.retained)) == order[:1]
        assert run(slug, lambda probe: Answer(False, -1.0)).selection.retained == memory().everything


def own_solver():
    """LassoRegression of context-cite, from its file: the package itself imports what is not needed for it."""
    found = importlib.util.find_spec("context_cite")
    if found is None:
        pytest.skip("context-cite is not installed; its weights on these masks are tested as data")
    spec = importlib.util.spec_from_file_location("own_solver", Path(found.origin).with_name("solver.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LassoRegression()


def example():
    random = np.random.default_rng(20261204)
    masks = (random.random((64, 8)) < 0.5).astype(np.float32)
    return masks, masks @ np.array([3, 0, -1, 0.5, 0, 0, 2, 0.02]) + 0.1 * random.standard_normal(64)


#: What LassoRegression(lasso_alpha=0.01) of context-cite 0.0.4 gives for the example, one output token.
CONTEXT_CITE = [3.0189647, 0.0154086, -0.9938332, 0.5032308, 0.001258, 0.023216, 1.92399, 0.0]


def test_weights_are_context_cite_s():
    assert lasso_weights(*example()) == pytest.approx(CONTEXT_CITE, abs=1e-6)


def test_weights_are_those_of_the_package_where_it_is_installed():
    masks, outputs = example()
    assert lasso_weights(masks, outputs) == pytest.approx(own_solver().fit(masks, outputs, 1)[0], abs=1e-9)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_memories_and_invalid_decisions(slug, count):
    everything = memory(count).everything
    trace = run(slug, lambda probe: Answer(False, -math.inf), count)
    assert trace.selection.retained == everything
    trace = run(slug, lambda probe: Answer(probe.retained & 1 == 1, -math.inf if probe.retained == 0 else 1.0), count)
    assert trace.selection.retained == 1 or trace.selection.retained & 1


def test_a_margin_that_is_not_finite_is_the_least_one():
    asking = ask_all(memory(2), {1: Answer(True, 2.0), 2: Answer(False, -0.5)}, [1, 2, 0])
    next(asking)
    with pytest.raises(StopIteration) as end:
        asking.send([Answer(False, -math.inf)])
    assert end.value.value == [2.0, -0.5, -0.5]


@given(st.lists(st.integers(0, 3), min_size=5, max_size=5))
@settings(max_examples=30, deadline=None)
def test_the_prefix_goes_by_weight_then_relevance(weights):
    search = smallest_prefix(memory(5), {}, weights)
    trace = drive(search, lambda probes: [Answer(False, 0.0)] * len(probes))
    order = sorted(range(5), key=lambda i: (-weights[i], i))
    assert [set(members(probe.retained)) for probe in trace.probes] == [set(order[:size]) for size in range(5)]


@given(st.integers(1, 70), st.integers(1, 12))
def test_parts_are_even_and_whole(count, parts):
    found = split(list(range(count)), parts)
    assert [record for part in found for record in part] == list(range(count))
    assert max(map(len, found)) - min(map(len, found)) <= 1


def test_masks():
    assert masks_of(memory(3), [0b101, 0]).tolist() == [[1, 0, 1], [0, 0, 0]]
