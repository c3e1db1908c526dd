"""Drives searches: one to its end, or many in lockstep; both give the same traces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jointcore.selection.protocol import Answer, Probe, Search, Selection


class Step(NamedTuple):
    """One evaluation of a search: the probe and its answer."""

    probe: Probe
    answer: Answer


@dataclass(slots=True)
class Trace:
    """Everything that a search asked and was told.

    Attributes:
        steps: the evaluations in order.
        selection: what the search ended with.
    """

    steps: list[Step] = field(default_factory=list)
    selection: Selection | None = None

    @property
    def evaluations(self) -> int:
        """Number of decisions that the search asked for; the reference is not counted."""
        return len(self.steps)

    def dropped(self) -> list[int]:
        """The records (a bitset) dropped after each evaluation."""
        if self.selection.drops is None:
            return [step.probe.group if step.answer.same else 0 for step in self.steps]
        dropped = [0] * len(self.steps)
        for evaluation, records in self.selection.drops:
            dropped[evaluation] |= records
        return dropped


class _Run:
    """A search under way: its open request and its trace."""

    __slots__ = ("_search", "_single", "pending", "trace")

    def __init__(self, search: Search) -> None:
        self._search = search
        self.trace = Trace()
        self._advance(None)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Send the answers to the pending probes."""
        self.trace.steps.extend(map(Step, self.pending, answers))
        self._advance(answers[0] if self._single else answers)

    def _advance(self, sent) -> None:
        try:
            request = self._search.send(sent)
            self._single = isinstance(request, Probe)
            self.pending = (request,) if self._single else request
            while not self.pending:  # an empty batch is answered at once
                request = self._search.send(())
                self._single = isinstance(request, Probe)
                self.pending = (request,) if self._single else request
        except StopIteration as end:
            self.pending = ()
            self.trace.selection = end.value


def drive(search: Search, decide: Callable[[Sequence[Probe]], Sequence[Answer]]) -> Trace:
    """Run one search to its end.

    Args:
        search: the search.
        decide: answers independent probes, in their order.
    """
    run = _Run(search)
    while run.pending:
        run.answer(decide(run.pending))
    return run.trace


def drive_lockstep(
    searches: Sequence[Search],
    decide: Callable[[list[tuple[int, Probe]]], Sequence[Answer]],
) -> list[Trace]:
    """Run many searches side by side, so that a decider sees all their open probes at once.

    Args:
        searches: the searches.
        decide: answers pairs (index of the search, probe), in their order.
    """
    runs = [_Run(search) for search in searches]
    open_runs = [index for index, run in enumerate(runs) if run.pending]
    while open_runs:
        asked = [(index, probe) for index in open_runs for probe in runs[index].pending]
        answers = list(decide(asked))
        start = 0
        for index in open_runs:
            count = len(runs[index].pending)
            runs[index].answer(answers[start : start + count])
            start += count
        open_runs = [index for index in open_runs if runs[index].pending]
    return [run.trace for run in runs]
