"""Zep and Graphiti edges: ``[{uuid, fact, created_at, valid_at, invalid_at, expired_at, attributes, …}]``."""

from __future__ import annotations

from jointcore.memories.exports import Case, flag, listed, memory, source


@source(name="Zep and Graphiti edges")
def zep(document, notes):
    """One case. Facts that are no longer valid, or were replaced, are flagged."""
    found = []
    for position, row in enumerate(listed(document, notes, "edges", "facts", "results")):
        where = row.get("uuid", position)
        time = "valid_at" if row.get("valid_at") else "created_at"
        owner = "user_uuid" if row.get("user_uuid") else "group_id"
        item = memory(row, notes, where, text="fact", id="uuid", time=time, owner=owner)
        if item is not None:
            for key, word in (("invalid_at", "no longer valid"), ("expired_at", "expired")):
                if row.get(key):
                    flag(item, notes, word, where)
            found.append(item)
    return [Case("zep", found)]
