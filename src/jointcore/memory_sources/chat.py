"""Chat messages: ``[{role, content, name, tool_calls, tool_call_id}]``, content a text or parts."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.memories.exports import Case, as_text, listed, memory, source


@source(name="Chat messages")
def chat(document, notes):
    """One case: a message is a memory. A call of a tool is read as text; what is no text is named in its place."""
    found = []
    for position, row in enumerate(listed(document, notes, "messages")):
        where = row.get("id", f"message {position}")
        flat = {**row, "content": message_text(row, notes, where)}
        item = memory(flat, notes, where, text="content", id="id", time="created_at", role="role", owner="name")
        found += [] if item is None else [item]
    ids = sum("id" in item for item in found)
    if 0 < ids < len(found):
        notes.say("some messages have an id and some have none, so all go by their positions")
        for item in found:
            item.pop("id", None)
    return [Case("chat", found)]


def message_text(row, notes, where):
    """The text of a message: its content, a text or parts, and the tools that it calls."""
    content = row.get("content")
    parts = content if isinstance(content, list) else [content]
    said = [_part(part, notes, where) for part in parts if part is not None]
    for call in row.get("tool_calls") or ():
        function = call.get("function") if isinstance(call.get("function"), Mapping) else call
        arguments = function.get("arguments", function.get("args", ""))
        said.append(f"[calls {function.get('name', 'a tool')}({as_text(arguments)})]")
    return "\n".join(text for text in said if text)


def _part(part, notes, where):
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return part["text"]
    kind = part.get("type", "part") if isinstance(part, Mapping) else type(part).__name__
    notes.say("parts of messages that are no text are named in their place", where)
    return f"[{kind}]"
