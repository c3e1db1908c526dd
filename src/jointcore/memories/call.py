"""Which memories does a decision rest on, and which would overturn it: the calls for a user's own memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jointcore.memories.options import DEFAULT_METHOD, Options
from jointcore.memories.result import Result
from jointcore.memories.session import Session

if TYPE_CHECKING:
    import pandas


def select(
    memories: Any,
    judge: Any,
    query: str | None = None,
    *,
    method: str = DEFAULT_METHOD,
    **options: Any,
) -> Result:
    """The memories that a decision rests on: a set that alone leads to the decision on full memory.

    Args:
        memories: texts, dictionaries, a DataFrame or a path, see :func:`jointcore.memories.items.read_memories`. They
            are shown in the given order.
        judge: a function, sync or async, from the list of retained memories, each as it was given (a dictionary for a
            row of a file), to a hashable decision or a :class:`WithMargin`; it is given the query too if it has a
            parameter of that name. Or a judge of the catalogue, such as :func:`jointcore.text_model` opens.
        query: what is to be decided; memories are ranked by it unless their relevance is given.
        method: slug of the search, see :mod:`jointcore.selection.methods`.
        options: see :class:`Options`.

    Returns:
        A result with ``kept`` and ``dropped``, ids in order or positions where none are given, ``decision``, ``calls``
        (of the judge, that on full memory included) and ``complete``. If the cap, Ctrl-C or an exception of the judge
        ends the search, it holds what is known by then, and ``reason``.

    Raises:
        InputError: bad input, found before the judge is called.
    """
    return Session.open(memories, judge, query, Options(**options), [method]).run(method, "select")


def overturn(
    memories: Any,
    judge: Any,
    query: str | None = None,
    *,
    method: str = DEFAULT_METHOD,
    **options: Any,
) -> Result:
    """The memories whose removal changes the decision: the smallest such set that the search finds.

    The dual of :func:`select` with its arguments: the same searches choose what to remove, where a set is as good as
    another of its size. The result's ``dropped`` and ``found`` are what was removed, ``kept_decision`` is the decision
    without it, and ``decision`` that on full memory. If not even the empty memory changes the decision, nothing is
    dropped and a warning says so.

    Raises:
        InputError: bad input, found before the judge is called.
    """
    return Session.open(memories, judge, query, Options(**options), [method]).run(method, "overturn")


def compare(
    memories: Any,
    judge: Any,
    query: str | None = None,
    *,
    methods: Sequence[str] = (DEFAULT_METHOD, "quickxplain", "independent_leave_one_out"),
    **options: Any,
) -> Comparison:
    """Several methods side by side on the same memories; a set that several ask is put to the judge once.

    Args:
        memories, judge, query: see :func:`select`.
        methods: slugs of the searches.
        options: see :class:`Options`; ``cap`` is for all methods together.

    Raises:
        InputError: bad input, found before the judge is called.
    """
    session = Session.open(memories, judge, query, Options(**options), methods)
    results = [session.run(method, "select") for method in methods]
    return Comparison([replace(result, calls=len(result.trace)) for result in results], session.asker.calls)


class Comparison(Sequence):
    """Results of several methods.

    Attributes:
        results: a result for each method; its ``calls`` are the sets that it asked, whoever asked them first.
        calls: calls of the judge made for all.
    """

    def __init__(self, results: Sequence[Result], calls: int) -> None:
        self.results = list(results)
        self.calls = calls

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, wanted):
        if isinstance(wanted, str):
            return next(result for result in self.results if result.method == wanted)
        return self.results[wanted]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each method: what it keeps, costs and asks, and whether the decision is preserved."""
        import pandas

        return pandas.DataFrame(
            {
                "method": result.method,
                "kept": len(result.kept),
                "cost": result.cost - result.saved,
                "calls": result.calls,
                "preserved": result.preserved,
                "complete": result.complete,
            }
            for result in self.results
        )

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(index=False)
