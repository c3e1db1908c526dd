"""Letta passages: ``[{id, text, created_at, metadata, tags, archive_id, is_deleted}]``."""

from __future__ import annotations

from jointcore.memories.exports import Case, flag, listed, memory, source


@source(name="Letta passages")
def letta(document, notes):
    """One case. Deleted passages are flagged."""
    found = []
    for position, row in enumerate(listed(document, notes, "passages", "data", "results")):
        where = row.get("id", position)
        item = memory(row, notes, where, text="text", id="id", time="created_at", owner="archive_id")
        if item is not None:
            if row.get("is_deleted"):
                flag(item, notes, "deleted", where)
            found.append(item)
    return [Case("letta", found)]
