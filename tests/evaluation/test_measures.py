"""Measures of a set: known answers."""

from jointcore.bitsets import bitset
from jointcore.evaluation.measures import measure_set
from jointcore.logic.oracle import oracle

COSTS = [3, 10, 3, 4]


def test_redundant_records():
    truth = oracle("redundant_or", (0, 2), COSTS)
    assert truth.minimum_cost_sets == (bitset([0]), bitset([2]))
    one = measure_set(bitset([2]), COSTS, truth)
    assert one == (True, True, 0.5, 17 / 20, 0.0)
    both = measure_set(bitset([0, 2, 3]), COSTS, truth)
    assert both == (True, False, 1.0, 0.5, (10 - 3) / 3)
    none = measure_set(0, COSTS, truth)
    assert none == (False, False, 0.0, 1.0, None)
