"""Mem0: ``{"results": [{id, memory, metadata, created_at, …}]}``."""

from __future__ import annotations

from jointcore.memories.exports import Case, flag, listed, memory, source

#: Where ``get_all`` stops without a word, in this version and in older ones.
_STOPS = (20, 100)


@source(name="Mem0")
def mem0(document, notes):
    """One case. A file of exactly 20 or 100 memories may be cut short; memories with an expiry date are flagged."""
    rows = listed(document, notes, "results", "memories")
    if len(rows) in _STOPS:
        notes.say(
            f"there are exactly {len(rows)} memories, where get_all stops without a word; ask it for more with limit"
        )
    found = []
    for position, row in enumerate(rows):
        where = row.get("id", position)
        item = memory(row, notes, where, text="memory", id="id", time="created_at", role="role", owner="user_id")
        if item is not None:
            if row.get("expiration_date"):
                flag(item, notes, "given an expiry date", where)
            found.append(item)
    return [Case("mem0", found)]
