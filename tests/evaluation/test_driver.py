"""One search at a time and many in lockstep give the same traces."""

from itertools import islice

import pytest

from jointcore.evaluation.driver import drive, drive_lockstep
from jointcore.hashing import stable_seed
from jointcore.selection.catalogue import all_methods
from jointcore.selection.protocol import Answer, Probe, Selection
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid


def answer(task_id, probe):
    """Deterministic and as far from monotone as can be."""
    return Answer(stable_seed(task_id, probe.retained, probe.altered) % 3 > 0, 0.5)


def settings():
    return {"budget": 4, "cap": 64, "empty_set_fails": False, "minimum_cost_sets": (1,)}


@pytest.mark.parametrize("method", all_methods(), ids=lambda method: method.slug)
def test_both_drivers_agree(method):
    memories = [task.question.memory for task in islice(generate_tasks(Grid(candidate_counts=(9, 16))), 0, 864, 37)]
    single = [
        drive(method.start(memory, settings()), lambda probes, m=memory: [answer(m.id, p) for p in probes])
        for memory in memories
    ]
    together = drive_lockstep(
        [method.start(memory, settings()) for memory in memories],
        lambda asked: [answer(memories[index].id, probe) for index, probe in asked],
    )
    assert single == together


def test_batches_get_their_answers_in_order():
    def search():
        first = yield [Probe(1, 1), Probe(2, 2)]
        second = yield Probe(3, 3)
        empty = yield []
        return Selection(sum(int(a.margin) for a in first) * 100 + int(second.margin) * 10 + len(empty))

    trace = drive(search(), lambda probes: [Answer(True, probe.retained) for probe in probes])
    assert trace.selection.retained == 330
    assert trace.evaluations == 3
    assert trace.dropped() == [1, 2, 3]


def test_drops_that_a_search_lists_itself():
    def search():
        yield [Probe(1, 1), Probe(2, 2)]
        return Selection(0, drops=((1, 4),))

    assert drive(search(), lambda probes: [Answer(True, 1.0)] * 2).dropped() == [0, 4]


def test_lockstep_asks_all_open_searches_at_once():
    sizes = []

    def search(rounds):
        for _ in range(rounds):
            yield Probe(1, 1)
        return Selection(0)

    def decide(asked):
        sizes.append(len(asked))
        return [Answer(False, 0.0)] * len(asked)

    drive_lockstep([search(1), search(3), search(0)], decide)
    assert sizes == [2, 1, 1]
