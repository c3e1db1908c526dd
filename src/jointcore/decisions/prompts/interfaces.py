"""Memory interfaces: how a prompt shows a record that is omitted (paper, section on memory interfaces)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.tasks.question import Record

_OPPOSITE = {"ALLOW": "BLOCK", "BLOCK": "ALLOW", "ON": "OFF", "OFF": "ON"}


def altered_value(value: str) -> str:
    """The value that contradicts a record's own: ALLOW↔BLOCK, ON↔OFF, INVALID for any other."""
    return _OPPOSITE.get(value, "INVALID")


@dataclass(frozen=True, slots=True)
class Interface:
    """A memory interface.

    Attributes:
        name: its name in tables and figures.
        column: its heading in the robustness table.
        omitted: what an omitted record shows instead of its value; ``None`` if its line is absent.
    """

    name: str
    column: str
    omitted: Callable[[Record], str | None]


#: The interfaces by slug. A new one is an entry here.
INTERFACES: dict[str, Interface] = {
    "typed_mask": Interface("UNKNOWN mask", "Typed mask", lambda record: "UNKNOWN"),
    "deletion": Interface("Deletion", "Deletion", lambda record: None),
    "plausible_same_type": Interface("Plausible same-type", "Plausible", lambda record: "PENDING"),
    "counterfactual": Interface("Counterfactual", "Counterfactual", lambda record: altered_value(record.value)),
}
#: Nothing is omitted: the reference among the memory interfaces.
FULL_ARCHIVE = "full_archive"
#: The interfaces of the robustness stage by name (paper, section on robustness).
COMPARED_INTERFACES: dict[str, str] = {
    FULL_ARCHIVE: "Full archive",
    **{slug: interface.name for slug, interface in INTERFACES.items()},
}


def omitted_value(interface: str, record: Record) -> str | None:
    """What an omitted record shows instead of its value; ``None`` if its line is absent.

    Raises:
        InputError: there is no such interface.
    """
    if interface not in INTERFACES:
        raise InputError(f"interface {interface!r} is unknown; choose one of {', '.join(INTERFACES)}")
    return INTERFACES[interface].omitted(record)


def shown_records(query: Query) -> Iterator[tuple[Record, str]]:
    """The records that a prompt lists with the value that each shows, in presentation order.

    A record outside ``query.retained`` is shown as the interface says; a retained one in
    ``query.altered`` shows :func:`altered_value`.
    """
    question = query.question
    for identifier in question.presentation:
        record = question.records[identifier]
        if not query.retained >> identifier & 1:
            value = omitted_value(query.interface, record)
            if value is None:
                continue
        elif query.altered >> identifier & 1:
            value = altered_value(record.value)
        else:
            value = record.value
        yield record, value
