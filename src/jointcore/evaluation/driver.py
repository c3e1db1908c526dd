"""Drives searches: one to its end, or many in lockstep; both give the same traces.

What a search asks and selects is checked here, so that a method that breaks the contract of
:mod:`jointcore.selection.protocol` is told so by name.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import GeneratorType
from typing import Any, NamedTuple

from jointcore.bitsets import full
from jointcore.errors import InputError
from jointcore.selection.protocol import Answer, Probe, Search, Selection


class Step(NamedTuple):
    """One evaluation of a search: the probe and its answer."""

    probe: Probe
    answer: Answer


@dataclass(slots=True)
class Trace:
    """Everything that a search asked and was told.

    Attributes:
        probes: the evaluations in order.
        answers: the answer to each.
        selection: what the search ended with.
    """

    probes: list[Probe] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    selection: Selection | None = None

    @property
    def steps(self) -> list[Step]:
        """Each probe with its answer."""
        return list(map(Step, self.probes, self.answers))

    @property
    def evaluations(self) -> int:
        """Number of decisions that the search asked for; the reference is not counted."""
        return len(self.probes)

    def dropped(self) -> list[int]:
        """The records (a bitset) dropped after each evaluation."""
        if self.selection.drops is None:
            return [probe.group if same else 0 for probe, (same, _) in zip(self.probes, self.answers, strict=True)]
        dropped = [0] * len(self.probes)
        for evaluation, records in self.selection.drops:
            dropped[evaluation] |= records
        return dropped


_PROBES = {Probe}


class Driven(NamedTuple):
    """A search with what its probes are checked against.

    Attributes:
        search: the search.
        method: name of its method, for messages.
        everything: the set of all records; by default as many as any test has.
    """

    search: Search
    method: str = "of this search"
    everything: int = full(2**12)


def _requests(driven: Driven | Search, trace: Trace) -> Generator[Sequence[Probe], Sequence[Answer], None]:
    """Yields a search's requests as sequences and is sent their answers; an empty one is the end.

    The checks cost next to nothing: a full set has no gaps, so that a comparison says whether a set lies within it.
    """
    search, method, everything = driven if isinstance(driven, Driven) else Driven(driven)
    probes, answers, sent = trace.probes, trace.answers, None
    if not isinstance(search, GeneratorType):
        remedy = "yield its probes, or write 'yield' after 'return Selection(...)' if it asks nothing"
        raise InputError(f"method {method} is no search but returns {_shown(search)}; {remedy}")
    while True:
        try:
            request = search.send(sent)
        except StopIteration as end:
            problem = _selection_problem(end.value, len(probes), everything)
            trace.selection = end.value
            break
        single = type(request) is Probe
        try:
            sound = single or (isinstance(request, (list, tuple)) and set(map(type, request)) <= _PROBES)
            for retained, group, altered in (request,) if single else request:
                if not (0 <= retained <= everything and 0 <= group <= everything) or (
                    altered != 0 and altered & ~retained
                ):
                    sound = False
        except (TypeError, ValueError):
            sound = False
        if not sound:
            problem = _request_problem(request, everything)
            break
        if single:
            given = yield (request,)
            if len(given) != 1:
                raise ValueError(f"{len(given)} answers were given to 1 probes; answer each")
            sent = given[0]
            probes.append(request)
            answers.append(sent)
        else:
            sent = (yield request) if request else ()
            if len(sent) != len(request):
                raise ValueError(f"{len(sent)} answers were given to {len(request)} probes; answer each")
            probes += request
            answers += sent
    if problem:
        raise InputError(f"method {method}, after {len(probes)} evaluations: {problem}")
    yield ()


def _request_problem(request: Any, everything: int) -> str:
    """What is wrong with a request, and the remedy."""
    for probe in [request] if type(request) is Probe or not isinstance(request, (list, tuple)) else request:
        if type(probe) is not Probe:
            return f"it yields {_shown(request)}; yield a Probe(retained, group) or a list of them"
        problem = _set_problem("retained set", probe.retained, everything)
        problem = problem or _set_problem("group", probe.group, everything)
        if problem or not isinstance(probe.altered, int) or probe.altered & ~probe.retained:
            return problem or f"its altered set is {_shown(probe.altered)}; alter records that the same probe retains"
    raise AssertionError(f"nothing is wrong with {request!r}")


def _selection_problem(selection: Any, evaluations: int, everything: int) -> str:
    """What is wrong with what a search ends with, and the remedy; empty if nothing is."""
    if not isinstance(selection, Selection):
        return f"it ends with {_shown(selection)}; end it with 'return Selection(retained)'"
    problem = _set_problem("selected set", selection.retained, everything)
    for evaluation, records in selection.drops or ():
        problem = problem or _set_problem("dropped set", records, everything)
        if not 0 <= evaluation < evaluations:
            problem = problem or f"it drops records after evaluation {evaluation}; count its evaluations from 0"
    return problem


def _set_problem(name: str, value: Any, everything: int) -> str:
    if not isinstance(value, int):
        return f"its {name} is {_shown(value)}; give a bitset, such as jointcore.bitsets.bitset(ids)"
    if not 0 <= value <= everything:
        return f"its {name} {value:#x} holds records that the memory lacks; keep within memory.everything"
    return ""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def drive(search: Driven | Search, decide: Callable[[Sequence[Probe]], Sequence[Answer]]) -> Trace:
    """Run one search to its end.

    Args:
        search: the search.
        decide: answers independent probes, in their order.

    Raises:
        InputError: the search breaks its contract; the sentence names the method, the step and the remedy.
    """
    trace = Trace()
    requests = _requests(search, trace)
    pending = next(requests)
    while pending:
        pending = requests.send(decide(pending))
    return trace


def drive_lockstep(
    searches: Sequence[Driven | Search],
    decide: Callable[[list[tuple[int, Probe]]], Sequence[Answer]],
) -> list[Trace]:
    """Run many searches side by side, so that a judge sees all their open probes at once.

    Args:
        searches: the searches.
        decide: answers pairs (index of the search, probe), in their order.

    Raises:
        InputError: see :func:`drive`.
    """
    traces = [Trace() for _ in searches]
    running = list(map(_requests, searches, traces))
    pending = list(map(next, running))
    while any(pending):
        asked = [(index, probe) for index, probes in enumerate(pending) for probe in probes]
        answers = iter(decide(asked))
        for index, probes in enumerate(pending):
            if probes:
                pending[index] = running[index].send(list(islice(answers, len(probes))))
    return traces
