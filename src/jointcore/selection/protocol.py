"""The contract between a search and whoever drives it.

A search is a generator. It yields a :class:`Probe`, the retained set that it wants decided, or a
sequence of probes that do not depend on each other's answers, and is sent an :class:`Answer`, or as many
answers in the same order. It returns a :class:`Selection`. It never knows who decides: the logical rule, a
language model, or a script in a test.

Sets of record ids are bitsets, see :mod:`jointcore.bitsets`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

from jointcore.tasks.memory import Memory

__all__ = ["Answer", "Memory", "Probe", "Request", "Search", "Selection"]


class Probe(NamedTuple):
    """One question: what is decided when only these records are retained?

    Attributes:
        retained: the set to decide on.
        group: the records under test; they are dropped if the decision equals the reference,
            unless the returned :class:`Selection` lists its own drops.
        altered: retained records that are to be shown with an altered value instead of their own.
    """

    retained: int
    group: int
    altered: int = 0


class Answer(NamedTuple):
    """What the decider said about one probe.

    Attributes:
        same: the decision equals the reference decision; an invalid decision, or any decision against
            an invalid reference, does not.
        margin: by how much the reference decision beats the other one, in the decider's own score
            (+1 or -1 for the logical rule, mean log-probability for a language model, ``-inf`` if invalid).
    """

    same: bool
    margin: float


class Selection(NamedTuple):
    """What a search ends with.

    Attributes:
        retained: the selected set.
        budget_exhausted: the search ended at its cap, not by its own rule.
        drops: pairs (evaluation, counted from 0; records dropped after it) for a search whose drops do
            not follow from the single answers; ``None`` means that every group answered "same" was dropped.
        note: what a reader must know of it, such as a reference that does not stand; empty if nothing.
    """

    retained: int
    budget_exhausted: bool = False
    drops: tuple[tuple[int, int], ...] | None = None
    note: str = ""


Request = Probe | Sequence[Probe]
Search = Generator[Request, Answer | Sequence[Answer], Selection]
