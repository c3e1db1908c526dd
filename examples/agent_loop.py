"""After a wrong action of an agent: which memories made it? The agent is a small graph, as in LangGraph, without it.

    python examples/agent_loop.py

The judge is the whole agent, run on the memories that are retained: recall, plan, act. Only what it does in the end is
compared, so that anything may happen between. It is async, so that several runs are under way at once.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable

import jointcore

#: Items of a store, as an agent's memory holds them.
STORE = [
    {"namespace": ["trips", "mira"], "key": "k1", "value": {"content": "Mira wants the cheapest room."}},
    {"namespace": ["trips", "mira"], "key": "k2", "value": {"content": "Hotel Nord: 80 euros a night."}},
    {"namespace": ["trips", "mira"], "key": "k3", "value": {"content": "Hotel Fjord: 120 euros a night."}},
    {
        "namespace": ["trips", "mira"],
        "key": "k4",
        "value": {"content": "Hotel Fjord has an offer: 60 euros a night."},
    },
    {"namespace": ["trips", "mira"], "key": "k5", "value": {"content": "The offer of Hotel Fjord ended yesterday."}},
    {"namespace": ["trips", "mira"], "key": "k6", "value": {"content": "Mira arrives on Tuesday."}},
]
Node = Callable[[dict], Awaitable[dict]]


async def recall(state: dict) -> dict:
    """Prices by hotel; the last one that was noted counts. (The bug: an ended offer is never taken back.)"""
    prices = {}
    for text in state["memory"]:
        found = re.search(r"Hotel (\w+).*?(\d+) euros", text)
        if found:
            prices[found[1]] = int(found[2])
    return {"prices": prices}


async def plan(state: dict) -> dict:
    """Choose by what the guest wants."""
    if not state["prices"]:
        return {"choice": None}
    wants_cheap = any("cheapest" in text for text in state["memory"])
    best = min if wants_cheap else max
    return {"choice": best(state["prices"], key=state["prices"].get)}


async def act(state: dict) -> dict:
    """Book; in a real agent, a tool call that is only recorded here."""
    await asyncio.sleep(0)
    return {"action": f"book {state['choice']}" if state["choice"] else "ask the guest"}


GRAPH: list[Node] = [recall, plan, act]


async def agent(retained: list[dict]) -> str:
    """Run the graph on the retained memories; its last action is the decision."""
    state: dict = {"memory": [item["text"] for item in retained]}
    for node in GRAPH:
        state |= await node(state)
    return state["action"]


if __name__ == "__main__":
    memories = jointcore.read_memories(STORE, source="langgraph")
    query = "Which hotel is booked for Mira?"

    why = jointcore.select(memories, agent, query)
    print(f"{why.decision!r} rests on {why.kept} ({why.calls} runs of the agent)")
    for key in why.kept:
        print(f"  {key}: {memories[memories.names.index(key)].text}")

    blame = jointcore.overturn(memories, agent, query)
    print(f"without {blame.found} the agent would {blame.kept_decision!r} ({blame.calls} runs)")
