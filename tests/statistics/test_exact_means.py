"""Compensated means: known answers, and what is undefined is left out."""

import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointcore.statistics.exact_means import COLUMNS, MEASURES, Mean, combine_methods, method_means


def mean_of(values):
    mean = Mean()
    for value in values:
        mean.add(value)
    return mean


def test_compensation_keeps_what_plain_summation_loses():
    assert mean_of([1e16, 1.0, -1e16]).value == pytest.approx(1 / 3, abs=0)
    assert math.fsum([0.1] * 10) / 10 == mean_of([0.1] * 10).value


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200))
def test_close_to_the_exact_sum(values):
    exact = math.fsum(values) / len(values)
    assert mean_of(values).value == pytest.approx(exact, rel=1e-15, abs=1e-12)


def test_undefined_values_do_not_count():
    mean = mean_of([None, 2.0, None, 4.0])
    assert (mean.value, mean.count) == (3.0, 2)
    assert mean_of([None]).value is None


def batch(rows):
    return pa.RecordBatch.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in rows])


def test_groups_and_shards():
    first = batch([("or", 8, True, True, 1.0, 0.5, 0.0, 4, False), ("or", 16, False, False, 0.5, 0.25, None, 6, True)])
    second = batch([("and", 8, True, False, 1.0, 0.75, 1.0, 8, False)])
    means = method_means([first, second])
    assert list(means["overall"]) == [*MEASURES, "records"]
    assert means["overall"]["exact_sufficiency"] == pytest.approx(2 / 3)
    assert means["overall"]["cost_gap"] == 0.5
    assert means["by_family"]["or"]["budget_exhaustion_rate"] == 0.5
    assert means["by_family"]["or"]["records"] == 2
    assert means["by_candidate_count"]["16"]["cost_gap"] is None
    combined = combine_methods({"a": means})
    assert combined["by_candidate_count"]["8"]["a"]["intervention_count"] == 6
