"""Select: the minimal set of notes that keeps the answer, found by JointCore's search, then packed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from jointcore.bitsets import bitset, members
from jointcore.consolidation.features import similarities
from jointcore.consolidation.notes import Inquiry, Note
from jointcore.consolidation.operators import Output, pack
from jointcore.consolidation.reader import answers
from jointcore.evaluation.driver import drive
from jointcore.selection.catalogue import load_method
from jointcore.selection.protocol import Answer, Memory, Probe

#: The search that selects.
METHOD = "jointcore_anchored"
_BUDGET, _CAP = 4, 256


class Chosen(NamedTuple):
    """What the search found.

    Attributes:
        notes: ids of the notes that keep the answer.
        calls: questions that the reader was asked, full memory included.
    """

    notes: tuple[int, ...]
    calls: int


@lru_cache(maxsize=4096)
def choose(inquiry: Inquiry) -> Chosen:
    """The notes of a cluster that keep the answer that all of them give; relevance is likeness to the question."""
    cluster = inquiry.cluster
    memory = Memory(
        inquiry.id, tuple(note.cost for note in cluster), tuple(similarities(inquiry.text, [n.text for n in cluster]))
    )

    def answer(retained: int) -> bool:
        return answers(inquiry, [statement for i in members(retained) for statement in cluster[i].statements])

    reference = answer(memory.everything)

    def decide(probes: Sequence[Probe]) -> list[Answer]:
        same = [answer(probe.retained) == reference for probe in probes]
        return [Answer(each, 1.0 if each else -1.0) for each in same]

    method = load_method(METHOD)
    offered = {"budget": _BUDGET, "cap": _CAP, "empty_set_fails": False}
    trace = drive(method.start(memory, offered), decide)
    return Chosen(tuple(members(trace.selection.retained)), trace.evaluations + 1)


def select(inquiry: Inquiry, budget: int) -> tuple[Output, int]:
    """What Select leaves under a budget, and the calls that it took: the chosen notes first, then the others."""
    chosen, calls = choose(inquiry)
    inside = bitset(chosen)
    first = [note for note in inquiry.cluster if inside >> note.id & 1]
    kept = pack(first, budget)
    left = budget - sum(note.cost for note in kept)
    kept += pack([note for note in inquiry.cluster if not inside >> note.id & 1], left)
    return _output(kept), calls


def _output(notes: Sequence[Note]) -> Output:
    ordered = sorted(notes, key=lambda note: note.id)
    return Output(
        tuple(statement for note in ordered for statement in note.statements),
        sum(note.cost for note in ordered),
        tuple(note.id for note in ordered),
    )
