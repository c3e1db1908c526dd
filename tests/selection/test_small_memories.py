"""Every method on no record and on one: the smallest memories that there are."""

import pytest

from jointcore.evaluation.driver import drive
from jointcore.selection.catalogue import all_methods
from jointcore.selection.protocol import Answer, Memory


@pytest.mark.parametrize("method", all_methods(), ids=lambda method: method.slug)
@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("same", [True, False])
def test_it_ends_with_a_set_of_the_memory(method, count, same):
    memory = Memory("task", (3,) * count, (0.5,) * count)
    settings = {"budget": 4, "cap": 64, "empty_set_fails": False, "minimum_cost_sets": (memory.everything,)}
    answer = Answer(same, 1.0 if same else -1.0)
    trace = drive(method.start(memory, settings), lambda probes: [answer for _ in probes])
    assert trace.selection.retained & ~memory.everything == 0
    assert trace.evaluations <= 3
    if method.keeps_decision and not same:
        assert trace.selection.retained == memory.everything
