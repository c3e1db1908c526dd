"""What a call about a user's own memory may choose."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jointcore.errors import InputError
from jointcore.memories.asking import Asked
from jointcore.memories.function_judge import CONCURRENCY
from jointcore.memories.normalising import check_choice

#: The search that a call and the command take.
DEFAULT_METHOD = "jointcore_anchored"
#: Size of a retrieved set, B of the paper.
BUDGET = 4


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a call may choose.

    Attributes:
        answers: the decisions to choose from; a function's decision is matched to them, and a judge of the catalogue
            needs them.
        normalise: makes a function's decisions comparable: ``"case"``, ``"whitespace"``, ``"json:FIELD"``, a function,
            or several of these, applied in order.
        costs: cost of each memory, if they do not bring it; by default the tokens of a catalogue judge's tokenizer,
            else words.
        relevance: relevance of each memory, or how to rank them, see :func:`jointcore.memories.relevance.rank`.
        cap: calls of the judge at most.
        budget: size of a retrieved set, B: how many of the most relevant memories the search expects most of.
        empty_set_fails: declares that no memory at all does not lead to the decision, which saves asking it.
        ask_twice: ask full memory a second time, to find a judge that does not repeat itself.
        store: folder that keeps a function's answers across processes.
        judge_name: what the store knows the judge by; a function's module, name and source text by default. Change it
            when what the function calls changes.
        source: whose export ``memories`` is, see :mod:`jointcore.memory_sources`.
        case: which one of a source's many memories.
        concurrency: calls of an async function that are under way at once.
        progress: ``True`` for a line on the terminal, or a function that is called after each set that was decided.
        name: identity of the question, for a method that chooses at random; a digest of the memories by default.
    """

    answers: Sequence[Hashable] | None = None
    normalise: Any = None
    costs: Sequence[float] | None = None
    relevance: Any = None
    cap: int | None = None
    budget: int = BUDGET
    empty_set_fails: bool = False
    ask_twice: bool = False
    store: str | Path | None = None
    judge_name: str | None = None
    source: Any = None
    case: str | None = None
    concurrency: int = CONCURRENCY
    progress: bool | Callable[[Asked], None] = False
    name: str | None = None

    def __post_init__(self) -> None:
        for name, value in (("cap", self.cap), ("budget", self.budget), ("concurrency", self.concurrency)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise InputError(f"{name} is {value!r}; give a whole number from 1 up")
        if self.answers is not None:
            if isinstance(self.answers, str):
                raise InputError(f"answers is the text {self.answers!r}; give a list of answers")
            check_choice(list(self.answers))
