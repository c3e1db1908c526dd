"""A-Mem notes: ``[{id, content, keywords, tags, context, category, links, timestamp}]``, time as YYYYMMDDHHMM."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.memories.exports import Case, listed, memory, source


@source(name="A-Mem")
def a_mem(document, notes):
    """One case. A table of notes by id is read too; a time that is no YYYYMMDDHHMM is kept as it is, and said."""
    if isinstance(document, Mapping) and not any(isinstance(value, list) for value in document.values()):
        document = [{"id": key, **note} for key, note in document.items() if isinstance(note, Mapping)]
    found = []
    for position, row in enumerate(listed(document, notes, "memories", "notes")):
        where = row.get("id", position)
        item = memory(row, notes, where, text="content", id="id", time="timestamp")
        if item is not None:
            if "time" in item:
                item["time"] = _time(item["time"], notes, where)
            found.append(item)
    return [Case("a_mem", found)]


def _time(time, notes, where):
    if len(time) != 12 or not time.isdecimal():
        notes.say("times that are not YYYYMMDDHHMM are kept as they are", where)
        return time
    return f"{time[:4]}-{time[4:6]}-{time[6:8]} {time[8:10]}:{time[10:]}"
