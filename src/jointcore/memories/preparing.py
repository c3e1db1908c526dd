"""Makes a question of a user's memories: costs, relevance, identity; and which methods can answer it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from jointcore.bitsets import full
from jointcore.errors import InputError
from jointcore.hashing import canonical_json, sha256
from jointcore.memories.items import Memories, number
from jointcore.memories.relevance import Ranking, rank
from jointcore.selection.catalogue import load_method
from jointcore.selection.method import TRUTH, Method
from jointcore.selection.protocol import Answer, Memory, Probe
from jointcore.tasks.question import TEXT, Condition, Question, Record


def with_costs(
    memories: Memories, costs: Sequence[float] | None, count_tokens: Callable[[str], int] | None
) -> tuple[Memories, str]:
    """The memories with a cost each, and its unit: ``given``, ``tokens`` or ``words``.

    Args:
        memories: the memories.
        costs: a cost for each, if they do not bring it.
        count_tokens: tokens of a text, if the judge has a tokenizer.

    Raises:
        InputError: costs of another number, or one that is not positive; or costs in two places.
    """
    found, unit = _listed(memories, "cost", costs), "given"
    if found is None:
        unit = "words" if count_tokens is None else "tokens"
        count = count_tokens or (lambda text: len(text.split()))
        found = [max(1, count(item.text)) for item in memories]
    items = tuple(replace(item, cost=cost) for item, cost in zip(memories, found, strict=True))
    return replace(memories, items=items), unit


def with_relevance(memories: Memories, query: str | None, wanted: Any) -> tuple[Memories, Ranking]:
    """The memories with a relevance each, and where it is from.

    Args:
        memories: the memories.
        query: ranks them, unless their relevance is given.
        wanted: a number for each, or how to rank, see :func:`jointcore.memories.relevance.rank`.

    Raises:
        InputError: numbers of another count or not finite, relevance in two places, or a ranking that cannot be made.
    """
    listed = None if isinstance(wanted, str) or callable(wanted) or hasattr(wanted, "__fspath__") else wanted
    found = _listed(memories, "relevance", listed)
    if found is None:
        ranking = rank(query, [item.text for item in memories], wanted)
    elif listed is None and wanted is not None:
        raise InputError("relevance says how to rank, but the memories bring their own; leave one of the two out")
    else:
        ranking = Ranking(tuple(found), "given")
    items = tuple(replace(item, relevance=score) for item, score in zip(memories, ranking.scores, strict=True))
    return replace(memories, items=items), ranking


def _listed(memories: Memories, name: str, listed: Sequence[float] | None) -> list[float] | None:
    own = getattr(memories[0], name) is not None
    if listed is None:
        return [getattr(item, name) for item in memories] if own else None
    if own:
        raise InputError(f"the {name} of each memory is given twice, with the memories and in a list; leave one out")
    try:
        values = list(listed)
    except TypeError:
        raise InputError(
            f"{name} is of type {type(listed).__name__}; give a list with a number for each memory"
        ) from None
    if len(values) != len(memories):
        raise InputError(f"{name} has {len(values)} numbers for {len(memories)} memories; give one for each")
    positive = name == "cost"
    found = [number(item.where, name, value, positive=positive) for item, value in zip(memories, values, strict=True)]
    for item, value in zip(memories, found, strict=True):
        if value is None:
            raise InputError(f"{item.where} has no {name}; give a number to each memory")
    return found


def question_of(memories: Memories, query: str | None, answers: Sequence[Hashable], name: str | None) -> Question:
    """The question that the memories make."""
    shown = [(item.text, item.cost, item.relevance) for item in memories]
    return Question(
        id=name or sha256(canonical_json({"memories": shown, "query": query, "version": 1})),
        records=tuple(
            Record(i, str(memories.names[i]), item.role or "memory", item.text, item.cost, item.relevance)
            for i, item in enumerate(memories)
        ),
        presentation=tuple(range(len(memories))),
        condition=Condition(TEXT, query or ""),
        actions=tuple(answers),
    )


def usable_method(slug: str) -> None:
    """Check that a method can work on texts.

    Raises:
        InputError: there is no such method, or it needs to know the truth or to alter a memory's value.
    """
    try:
        method = load_method(slug)
    except ValueError as error:
        raise InputError(f"{error}; choose one of these") from None
    if (reason := unusable(method)) is not None:
        raise InputError(f"the method {slug} {reason}; choose another method")


def unusable(method: Method) -> str | None:
    """Why a method cannot work on texts, as the rest of a sentence; ``None`` if it can."""
    if TRUTH in method.uses:
        return "needs to know which memories are right"
    return "alters values, which texts have none of" if _alters(method) else None


def _alters(method: Method) -> bool:
    """Whether a method shows altered records, found by running it on three records."""
    memory = Memory("trial", (1, 1, 1), (0.3, 0.2, 0.1))
    for same in (True, False):
        search = method.start(memory, {"budget": 1, "cap": 9, "empty_set_fails": False})
        try:
            request = next(search)
            while True:
                probes = [request] if isinstance(request, Probe) else list(request)
                if any(probe.altered for probe in probes):
                    return True
                answers = [Answer(same or probe.retained == full(3), 1.0 if same else -1.0) for probe in probes]
                request = search.send(answers[0] if isinstance(request, Probe) else answers)
        except StopIteration:
            pass
    return False
