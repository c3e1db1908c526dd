"""Memory interfaces: what a prompt shows for each record of a task (paper, section on memory interfaces)."""

from __future__ import annotations

from collections.abc import Iterator

from jointcore.decisions.protocol import INTERFACES, Query
from jointcore.errors import InputError
from jointcore.tasks.task import Record

_OPPOSITE = {"ALLOW": "BLOCK", "BLOCK": "ALLOW", "ON": "OFF", "OFF": "ON"}


def altered_value(value: str) -> str:
    """The value that contradicts a record's own: ALLOW↔BLOCK, ON↔OFF, INVALID for any other."""
    return _OPPOSITE.get(value, "INVALID")


def omitted_value(interface: str, record: Record) -> str | None:
    """What an omitted record shows instead of its value; ``None`` if its line is absent.

    Raises:
        InputError: there is no such interface.
    """
    if interface == "typed_mask":
        return "UNKNOWN"
    if interface == "deletion":
        return None
    if interface == "plausible_same_type":
        return "PENDING"
    if interface == "counterfactual":
        return altered_value(record.value)
    raise InputError(f"interface {interface!r} is unknown; choose one of {', '.join(INTERFACES)}")


def shown_records(query: Query) -> Iterator[tuple[Record, str]]:
    """The records that a prompt lists with the value that each shows, in presentation order.

    A record outside ``query.retained`` is shown as the interface says; a retained one in
    ``query.altered`` shows :func:`altered_value`.
    """
    task = query.task
    for identifier in task.presentation_order:
        record = task.records[identifier]
        if not query.retained >> identifier & 1:
            value = omitted_value(query.interface, record)
            if value is None:
                continue
        elif query.altered >> identifier & 1:
            value = altered_value(record.value)
        else:
            value = record.value
        yield record, value
