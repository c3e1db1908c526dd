"""A result as a page: the memories in their order, the ones that were found marked, why, and the price."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from jointcore.bitsets import bitset, full, members
from jointcore.memories.result import plain
from jointcore.selection.catalogue import load_method

if TYPE_CHECKING:
    from jointcore.memories.result import Result


def case_of(result: Result) -> dict[str, Any]:
    """The result as a case of :mod:`jointcore.report.case_view`.

    For what overturns a decision, sets are what was removed, so that the view's "kept" are those that were found.
    """
    names = [str(plain(name)) for name in result.memories.names]
    everything, overturn = full(len(names)), result.goal == "overturn"

    def ids(retained: int) -> list[str]:
        return [names[i] for i in members(everything & ~retained if overturn else retained)]

    steps, current = [], everything
    for call in result.trace[2 if overturn else 1 :]:  # the references come first
        shown = bitset(call.retained)
        tested = everything & ~shown if overturn else shown
        same = (call.decision is not None and not call.same) if overturn else call.same
        group = current & ~tested
        step = {"same": same, "margin": call.margin, "decision": _text(call.decision)}
        steps.append({**step, "tested": ids(shown), "group": _named(names, group)})
        steps[-1]["dropped"] = _named(names, group if same else 0)
        current &= tested if same else everything
    calls = [bitset(call.retained) for call in result.trace]
    needed = {
        str(plain(name)): [ids(calls[pair.with_it]), [] if pair.without_it is None else ids(calls[pair.without_it])]
        for name, pair in result.evidence.items()
    }
    if overturn:  # the set that overturns stands first, here the one with the memory removed
        needed = {name: [without, kept] for name, (kept, without) in needed.items()}
    method = load_method(result.method)
    return {
        "title": "What overturns the decision" if overturn else "What the decision rests on",
        "query": result.query or "",
        "facets": {"decision": _text(result.decision), "complete": "yes" if result.complete else "no"},
        "details": {"What was not found out": result.reason} if result.reason else {},
        "records": [
            {"id": name, "text": _said(item), "cost": item.cost, "relevance": item.relevance}
            for name, item in zip(names, result.memories, strict=True)
        ],
        "methods": [
            {
                "name": f"{method.name}, sets that were removed" if overturn else method.name,
                "kept": ids(result.retained),
                "calls": result.calls,
                "decision": _text(result.kept_decision),
                "needed": needed,
                "steps": steps,
                "marks": [] if result.complete else ["not complete"],
            }
        ],
    }


def page_of(result: Result) -> str:
    """The result as a whole page, which needs no other file."""
    from jointcore.report.case_view import case_page

    return case_page("Own memories", [case_of(result)], _lead(result))


def frame_of(result: Result) -> str:
    """The page as a part of a notebook, apart from the notebook's own style."""
    return f'<iframe srcdoc="{escape(page_of(result))}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _lead(result: Result) -> list[str]:
    total, found = len(result.memories), len(result.found)
    if result.goal == "select":
        first = f"The decision is {result.decision}. {found} of {total} memories lead to it by themselves."
    else:
        first = f"The decision is {result.decision}. Without {found} of {total} memories it is {result.kept_decision}."
        first += " Below, a set is what was removed: kept is what overturns the decision, left out what plays no part."
    price = (
        f"{result.calls} calls of the judge; {result.saved:g} of {result.cost:g} {result.unit_in_words} are left out."
    )
    partial = [] if result.complete else [f"The search did not end: {result.reason}."]
    return [first, price, *partial, *result.warnings]


def _said(item: Any) -> str:
    about = ", ".join(part for part in (item.role, item.time) if part)
    return f"{item.text} ({about})" if about else item.text


def _named(names: list[str], positions: int) -> list[str]:
    return [names[i] for i in members(positions)]


def _text(decision: Any) -> str | None:
    return None if decision is None else str(decision)
