"""One search at a time and many in lockstep give the same traces."""

from itertools import islice

import pytest

from jointcore.bitsets import members
from jointcore.errors import InputError
from jointcore.evaluation.driver import Driven, drive, drive_lockstep
from jointcore.hashing import stable_seed
from jointcore.selection.catalogue import all_methods
from jointcore.selection.method import method
from jointcore.selection.protocol import Answer, Probe, Selection
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.memory import Memory


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


FIRST = Selection(0b1)
MEMORY = Memory("a task", (1, 2, 3), (0.3, 0.2, 0.1))


def stepping(*requests, end=FIRST):
    """A method that yields these requests after one sound probe, and ends so."""

    def broken(memory):
        yield Probe(0b110, 0b1)
        yield from requests
        return end

    return broken


def without_yield(memory):
    return Selection(memory.everything)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (
            stepping(Probe(~1, 1)),
            "after 1 evaluations: its retained set -0x2 holds .* within memory.everything",
        ),
        (stepping(Probe(0b1000, 1)), "after 1 evaluations: its retained set 0x8 holds records that the memory lacks"),
        (stepping([Probe(1, 1), Probe(1, 0b1000)]), "its group 0x8 holds records that the memory lacks"),
        (stepping(Probe(1, -1)), "its group -0x1 holds records"),
        (stepping(Probe(0b1, 0b10, 0b10)), "its altered set is 2; alter records that the same probe retains"),
        (stepping([Probe(0b1, 0b10, -1)]), "its altered set is -1; alter"),
        (stepping(Probe([0, 1], 1)), r"its retained set is \[0, 1\]; give a bitset"),
        (stepping(Probe(1, [0])), r"its group is \[0\]; give a bitset"),
        (stepping(Probe(1, 1, [])), r"its altered set is \[\]; alter"),
        (stepping([Probe(1, 1), Probe({0}, 1)]), r"its retained set is \{0\}; give a bitset"),
        (stepping((1, 1)), r"it yields \(1, 1\); yield a Probe"),
        (stepping([(1, 1, 0)]), r"it yields \[\(1, 1, 0\)\]; yield a Probe"),
        (stepping(None), "it yields None; yield a Probe"),
        (stepping(0b1), "it yields 1; yield a Probe"),
        (stepping(end=None), r"after 1 evaluations: it ends with None; end it with 'return Selection\(retained\)'"),
        (stepping(end=0b1), "it ends with 1; end it with"),
        (stepping(end=Selection(~1)), "its selected set -0x2 holds records"),
        (stepping(end=Selection([0])), r"its selected set is \[0\]; give a bitset"),
        (stepping(end=Selection(0, drops=((1, 1),))), "drops records after evaluation 1; count its evaluations from 0"),
        (stepping(end=Selection(0, drops=((0, 0b1000),))), "its dropped set 0x8 holds records"),
        (without_yield, "is no search but returns Selection.*; yield its probes, or write 'yield' after"),
    ],
)
@pytest.mark.parametrize("together", [False, True])
def test_a_method_that_breaks_the_contract_is_told_so_by_name(search, said, together):
    broken = method(name="Broken", position=1)(search)
    driven = Driven(broken.start(MEMORY, {}), broken.slug, MEMORY.everything)
    with pytest.raises(InputError, match=f"^method {broken.slug}.*{said}"):
        if together:
            drive_lockstep([driven], lambda asked: [Answer(False, -1.0)] * len(asked))
        else:
            drive(driven, lambda probes: [Answer(False, -1.0)] * len(probes))


def test_a_negative_set_has_no_members():
    with pytest.raises(ValueError, match="-2 is no set of records; write a complement as everything & ~1"):
        members(~1)


@pytest.mark.parametrize("count", [0, 2])
def test_a_judge_that_answers_more_or_less_is_refused(count):
    with pytest.raises(ValueError, match=f"{count} answers were given to 1 probes"):
        drive(stepping()(MEMORY), lambda probes: [Answer(False, -1.0)] * count)
