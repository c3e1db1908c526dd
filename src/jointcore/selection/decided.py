"""Asks about each retained set once."""

from __future__ import annotations

from collections.abc import Generator

from jointcore.selection.protocol import Answer, Probe, Search, Selection


def ask(decided: dict[int, bool], retained: int, group: int) -> Generator[Probe, Answer, bool]:
    """Whether the decision on a retained set equals the reference; asks only if that is not known yet.

    Args:
        decided: what is known, by retained set; grows.
        retained: the set.
        group: the records under test.
    """
    if retained not in decided:
        answer = yield Probe(retained, group)
        decided[retained] = answer.same
    return decided[retained]


def counted(search: Search) -> Generator[Probe, Answer, tuple[Selection, int]]:
    """Run a search that asks one probe at a time; its selection and the number of its evaluations."""
    evaluations = 0
    try:
        request = next(search)
        while True:
            evaluations += 1
            request = search.send((yield request))
    except StopIteration as end:
        return end.value, evaluations
