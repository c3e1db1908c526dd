"""What is known after a selection: which memories stay, why, and what it took."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jointcore.bitsets import bitset, members
from jointcore.files import write_text
from jointcore.memories.items import Item, Memories

if TYPE_CHECKING:
    import pandas


class Call(NamedTuple):
    """A set of memories that was decided.

    Attributes:
        retained: positions of the memories that were shown, ascending.
        decision: what was decided; ``None`` for an invalid decision.
        same: the decision is that on full memory.
        margin: by how much the decision on full memory beat every other one there; ``None`` if that is not known.
        source: ``judge``, ``store``, or ``memo`` for what another method of a comparison asked.
        reason: why the decision is invalid; empty if it is valid.
    """

    retained: tuple[int, ...]
    decision: Hashable
    same: bool
    margin: float | None
    source: str
    reason: str


class Needed(NamedTuple):
    """Two decided sets that differ in one memory alone: why it is needed.

    Attributes:
        with_it: number of the call (in :attr:`Result.trace`) on the set that holds the memory.
        without_it: number of the call on the same set without it; ``None`` where the empty set was declared to fail.
    """

    with_it: int
    without_it: int | None


@dataclass(frozen=True)
class Result:
    """The end of a selection, or of the search for what overturns a decision.

    Attributes:
        memories: the memories in presentation order, with the costs and relevance that were used.
        query: what was to be decided, if it was given.
        method: slug of the search.
        goal: ``select`` or ``overturn``.
        retained: the memories that are kept, a bitset of positions.
        decision: the decision on full memory; ``None`` if there is none.
        kept_decision: the decision on the kept memories alone; ``None`` if that was not found out.
        calls: calls of the judge, that on full memory included and answers from a store not.
        complete: the search came to its own end.
        reason: why it did not; empty if it did.
        trace: every set that was decided, in order, full memory first.
        cost_unit: ``given``, ``tokens`` or ``words``.
        ranked_by: what the relevance is from.
        repeated: whether full memory was decided alike when asked a second time; ``None`` if it was not.
        warnings: what a reader of the result should know, a sentence each.
    """

    memories: Memories
    query: str | None
    method: str
    goal: str
    retained: int
    decision: Hashable
    kept_decision: Hashable
    calls: int
    complete: bool
    reason: str
    trace: tuple[Call, ...]
    cost_unit: str
    ranked_by: str
    repeated: bool | None = None
    warnings: tuple[str, ...] = ()
    empty_set_fails: bool = field(default=False, repr=False)

    @cached_property
    def positions(self) -> list[int]:
        """Positions of the kept memories."""
        return members(self.retained)

    @cached_property
    def kept(self) -> list[Hashable]:
        """Ids of the kept memories in order; positions where no ids were given."""
        return [self.memories.names[i] for i in self.positions]

    @cached_property
    def dropped(self) -> list[Hashable]:
        """Ids of the other memories in order; positions where no ids were given."""
        return [name for i, name in enumerate(self.memories.names) if not self.retained >> i & 1]

    @property
    def found(self) -> list[Hashable]:
        """What was searched for: the memories that suffice, or those whose removal changes the decision."""
        return self.kept if self.goal == "select" else self.dropped

    @property
    def preserved(self) -> bool | None:
        """Whether the kept memories alone lead to the decision on full memory; ``None`` if that is not known."""
        if self.decision is None or self.kept_decision is None:
            return None
        return self.kept_decision == self.decision

    @cached_property
    def saved(self) -> float:
        """Cost of the dropped memories, in :attr:`cost_unit`."""
        return sum(item.cost for i, item in enumerate(self.memories) if not self.retained >> i & 1)

    @cached_property
    def cost(self) -> float:
        """Cost of all memories, in :attr:`cost_unit`."""
        return sum(item.cost for item in self.memories)

    @property
    def unit_in_words(self) -> str:
        """What the costs count, for a reader."""
        return "units of cost" if self.cost_unit == "given" else self.cost_unit

    @cached_property
    def evidence(self) -> dict[Hashable, Needed]:
        """For each memory that was found: two calls that differ in it alone, one as on full memory and one not.

        A memory is absent where the search made no such two calls.
        """
        found = self.retained if self.goal == "select" else bitset(range(len(self.memories))) & ~self.retained
        calls = {bitset(call.retained): (number, call) for number, call in enumerate(self.trace)}
        same = sorted((s for s, (_, call) in calls.items() if call.same), key=int.bit_count)
        result = {}
        for position in members(found):
            single = 1 << position
            for larger in same:
                if not larger & single:
                    continue
                other = calls.get(larger & ~single)
                if other is not None and not other[1].same:
                    result[self.memories.names[position]] = Needed(calls[larger][0], other[0])
                    break
                if other is None and larger == single and self.empty_set_fails:
                    result[self.memories.names[position]] = Needed(calls[larger][0], None)
                    break
        return result

    def to_frame(self) -> pandas.DataFrame:
        """A row for each memory: position, id, text, time, role, cost, relevance, kept, and the calls that show it."""
        import pandas

        rows = []
        for position, (name, item) in enumerate(zip(self.memories.names, self.memories, strict=True)):
            needed = self.evidence.get(name)
            rows.append(
                {
                    "position": position,
                    "id": name,
                    "text": item.text,
                    "time": item.time,
                    "role": item.role,
                    "cost": item.cost,
                    "relevance": item.relevance,
                    "kept": bool(self.retained >> position & 1),
                    "with_it": None if needed is None else needed.with_it,
                    "without_it": None if needed is None else needed.without_it,
                }
            )
        return pandas.DataFrame(rows).astype({"with_it": "Int64", "without_it": "Int64"})

    def to_dict(self) -> dict[str, Any]:
        """Everything that is known, as JSON values; what JSON lacks, by its text."""
        return {
            "goal": self.goal,
            "query": self.query,
            "method": self.method,
            "complete": self.complete,
            "reason": self.reason,
            "decision": plain(self.decision),
            "kept_decision": plain(self.kept_decision),
            "preserved": self.preserved,
            "kept": list(map(plain, self.kept)),
            "dropped": list(map(plain, self.dropped)),
            "calls": self.calls,
            "cost": self.cost,
            "saved": self.saved,
            "cost_unit": self.cost_unit,
            "ranked_by": self.ranked_by,
            "repeated": self.repeated,
            "warnings": list(self.warnings),
            "evidence": [
                {"memory": plain(name), "with_it": needed.with_it, "without_it": needed.without_it}
                for name, needed in self.evidence.items()
            ],
            "memories": [self._described(position, item) for position, item in enumerate(self.memories)],
            "trace": [{**call._asdict(), "decision": plain(call.decision)} for call in self.trace],
        }

    def _described(self, position: int, item: Item) -> dict[str, Any]:
        return {
            "position": position,
            "id": plain(self.memories.names[position]),
            "text": item.text,
            "kept": bool(self.retained >> position & 1),
            "cost": item.cost,
            "relevance": item.relevance,
            "time": item.time,
            "role": item.role,
            "metadata": plain(dict(item.metadata)),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """:meth:`to_dict` as text, written to a file too if one is given.

        Raises:
            InputError: the file cannot be written.
        """
        text = json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        if path is not None:
            write_text(path, text)
        return text

    def save_html(self, path: str | Path) -> None:
        """Write the result as a page that needs no other file.

        Raises:
            InputError: the file cannot be written.
        """
        from jointcore.memories.page import page_of

        write_text(path, page_of(self))

    def _repr_html_(self) -> str:
        from jointcore.memories.page import frame_of

        return frame_of(self)


def plain(value: Any) -> Any:
    """A value as JSON values; what JSON lacks, by its text."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    if value is None or isinstance(value, str | int | bool):
        return value
    return value if isinstance(value, float) and value - value == 0 else str(value)
