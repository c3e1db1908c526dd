"""LangGraph store items and LangMem: ``[{namespace, key, value, created_at, updated_at}]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from jointcore.memories.exports import Case, as_text, listed, memory, source

_TEXTS = ("content", "memory", "text")


@source(name="LangGraph store and LangMem")
def langgraph(document, notes):
    """One case. The text is ``value.content`` (LangMem), ``memory`` or ``text``, else the whole value as JSON."""
    rows = listed(document, notes, "items", "results")
    keys = Counter(row.get("key") for row in rows)
    found = []
    for position, row in enumerate(rows):
        where = row.get("key", position)
        namespace = row.get("namespace") or ()
        owner = namespace if isinstance(namespace, str) else "/".join(map(str, namespace))
        if keys[row.get("key")] > 1:
            notes.say("keys that occur in several namespaces are read with their namespace before them", where)
            where = f"{owner}/{where}"
        flat = {**row, "key": where, "namespace": owner, "text": _text(row.get("value"), notes, where)}
        item = memory(flat, notes, where, text="text", id="key", time="created_at", owner="namespace")
        found += [] if item is None else [item]
    return [Case("langgraph", found)]


def _text(value, notes, where):
    if not isinstance(value, Mapping):
        return value
    name = next((name for name in _TEXTS if value.get(name)), None)
    if name is not None:
        # LangMem may wrap a schema: {"kind": "Memory", "content": {"content": "…"}}.
        inner = value[name]
        return _text(inner, notes, where) if isinstance(inner, Mapping) else as_text(inner)
    if value:
        notes.say("values without content are read as JSON", where)
        return as_text(value)
    return None
