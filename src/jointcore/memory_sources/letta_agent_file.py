"""Letta agent files (``.af``): ``agents[].messages[].content[{type, text}]`` and ``blocks[{id, label, value}]``."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.memories.exports import Case, listed, memory, source
from jointcore.memory_sources.chat import message_text

#: Messages that an agent file holds at most.
_MESSAGES = 50


@source(name="Letta agent file")
def letta_agent_file(document, notes):
    """One case an agent: its blocks, then its messages. An agent file holds no passages."""
    if not isinstance(document, Mapping):
        raise notes.wrong("this is no agent file, an object with agents and blocks; export the agent again")
    notes.say("an agent file holds no passages; export them by themselves and read them with source letta")
    blocks = listed(document.get("blocks", []), notes, "blocks")
    cases = []
    for number, agent in enumerate(listed(document, notes, "agents")):
        name = str(agent.get("id") or agent.get("name") or number)
        wanted = agent.get("block_ids")
        found = []
        for position, block in enumerate(blocks):
            if wanted is None or block.get("id") in wanted:
                item = memory(block, notes, block.get("id", f"block {position}"), text="value", id="id", role="label")
                found += [] if item is None else [item]
        messages = listed(agent.get("messages", []), notes, "messages")
        if len(messages) >= _MESSAGES:
            notes.say(f"agents with {_MESSAGES} messages, the most that a file holds, may have had more", name)
        for position, row in enumerate(messages):
            where = row.get("id", f"{name} message {position}")
            text = message_text(row, notes, where)
            item = memory(
                {**row, "content": text}, notes, where, text="content", id="id", time="created_at", role="role"
            )
            if item is not None:
                found.append({"id": f"{name}/message-{position}", **item})
        cases.append(Case(name, found))
    return cases
