"""Any function as judge."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from jointcore.decisions.catalogue import judge
from jointcore.decisions.protocol import Decision, Judge, Query, decided
from jointcore.errors import InputError

#: What a script says: an action, a whole decision, or ``None`` for an invalid decision.
Said = Hashable | Decision


class Scripted:
    """Decides as a script says.

    Args:
        script: a function from a query to what is said about it, or a table from ``query.identity`` to it.
    """

    def __init__(self, script: Callable[[Query], Said] | Mapping[tuple, Said]) -> None:
        self._script = script if callable(script) else lambda query: script[query.identity]

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries.

        Raises:
            KeyError: the table has no entry for a query.
        """
        return [self._decide(query) for query in queries]

    def _decide(self, query: Query) -> Decision:
        said = self._script(query)
        if isinstance(said, Decision):
            return said
        if said is None:
            return Decision(None, reason="the script gives no action")
        return decided(said, query.offered)


@judge(
    name="Function",
    settings={
        "function": {
            "type": "string",
            "pattern": r"^[\w.]+:\w+$",
            "description": "A Python function of a query, as module:function.",
        }
    },
)
def scripted(entry, store, *, function) -> Iterator[Judge]:
    """A function keeps its own answers, if it wants to."""
    module, _, name = function.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"model {entry.key}: the function {function} cannot be imported ({error}); give module:function, with the "
            "module's folder in PYTHONPATH"
        ) from error
    yield Scripted(found)
