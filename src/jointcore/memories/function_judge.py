"""A Python function as judge, sync or async, of the retained memories in presentation order."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

from jointcore.decisions.protocol import Decision
from jointcore.errors import InputError
from jointcore.hashing import sha256
from jointcore.memories.normalising import Normaliser

#: Calls of an async judge that are under way at once.
CONCURRENCY = 8


class WithMargin(NamedTuple):
    """What a judge returns that knows how sure it is.

    Attributes:
        decision: any hashable value.
        margin: by how much the decision beats every other one, in the judge's own unit; not negative.
    """

    decision: Hashable
    margin: float


class NoDecisionError(Exception):
    """The judge gave no decision; the text says why and what to do."""


class FunctionJudge:
    """Decides retained sets of one memory by a function.

    Args:
        function: takes the retained memories as the user gave them, in presentation order, and, if it has a
            parameter ``query``, the query under that name. It returns a hashable decision or :class:`WithMargin`; it
            may be a coroutine function.
        given: all memories as the user gave them.
        query: what is to be decided.
        normalise: makes decisions comparable.
        concurrency: calls of a coroutine function that are under way at once.

    Attributes:
        calls: calls of the function made so far, ones that failed included.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        given: Sequence[Any],
        query: str | None = None,
        normalise: Normaliser | None = None,
        concurrency: int = CONCURRENCY,
    ) -> None:
        wanted = _parameters(function)
        self._function = functools.partial(function, query=query) if "query" in wanted else function
        self._async = _is_async(function)
        self._given = given
        self._normalise = normalise
        self._concurrency = concurrency
        self.calls = 0

    def decide(self, sets: Sequence[int]) -> Iterator[tuple[int, Decision]]:
        """The position of each set (a bitset) and its decision, as they come.

        Raises:
            NoDecisionError: the function returned nothing that can be a decision.
            Exception: whatever the function raises. All other questions under way are answered before that.
        """
        if not self._async:
            for position, retained in enumerate(sets):
                shown = self._shown(retained)
                self.calls += 1
                yield position, self._decision(retained, self._function(shown))
            return
        first: BaseException | None = None
        for start in range(0, len(sets), self._concurrency):
            group = sets[start : start + self._concurrency]
            self.calls += len(group)
            said = _in_background(_gather([self._function(self._shown(retained)) for retained in group]))
            for offset, (retained, answer) in enumerate(zip(group, said, strict=True)):
                if isinstance(answer, BaseException):
                    first = first or answer
                    continue
                try:
                    decision = self._decision(retained, answer)
                except NoDecisionError as error:
                    first = first or error
                else:
                    yield start + offset, decision
            if first is not None:
                raise first

    def _shown(self, retained: int) -> list[Any]:
        return list(compress(self._given, map("1".__eq__, reversed(f"{retained:b}"))))

    def _decision(self, retained: int, said: Any) -> Decision:
        shown = f"{retained.bit_count()} of {len(self._given)} memories"
        margin = None
        if inspect.isawaitable(said):
            raise NoDecisionError("the judge returned something to await; declare it with async def")
        if isinstance(said, WithMargin):
            said, margin = said
            if isinstance(margin, bool) or not isinstance(margin, int | float) or not margin >= 0:
                raise NoDecisionError(f"the judge gave the margin {margin!r} on {shown}; give a number from zero up")
        if said is None:
            raise NoDecisionError(
                f"the judge returned None on {shown}; return a decision for every set, such as a text for 'no answer'"
            )
        if self._normalise is not None:
            try:
                said = self._normalise(said)
            except ValueError as error:
                return Decision(None, reason=str(error))
        try:
            hash(said)
        except TypeError:
            raise NoDecisionError(
                f"the judge returned a {type(said).__name__} on {shown}, which is not hashable; return a text, "
                "a number or a tuple, or give normalise"
            ) from None
        if said != said:
            raise NoDecisionError(f"the judge returned {said!r} on {shown}, which equals nothing; return another value")
        return MarginDecision(said, margin) if margin is not None else SureDecision(said)


class SureDecision(Decision):
    """A decision whose margin is 1, as the logical rule's."""

    __slots__ = ()

    def margin(self, action: Hashable) -> float:
        """+1 for the decision itself and -1 for any other; ``-inf`` against an invalid one."""
        return float("-inf") if action is None else (1.0 if action == self.action else -1.0)


class MarginDecision(Decision):
    """A decision with the judge's own margin over every other one."""

    __slots__ = ()

    def __init__(self, action: Hashable, by: float) -> None:
        super().__init__(action, {action: float(by)})

    def margin(self, action: Hashable) -> float:
        """The margin of the decision itself, and less than nothing of any other; ``-inf`` against an invalid one."""
        if action is None:
            return float("-inf")
        (by,) = self.scores.values()
        return by if action == self.action else -by


def identity_of(function: Callable[..., Any]) -> str:
    """What tells a function from others in a store: its module, name and source text.

    Raises:
        InputError: the function has no name of its own or its source cannot be read.
    """
    name = getattr(function, "__qualname__", "<lambda>")
    if "<lambda>" in name:
        raise InputError("a judge without a name of its own cannot be told from others in a store; give judge_name")
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        raise InputError(
            f"the source of the judge {name} cannot be read to tell it from others; give judge_name"
        ) from None
    return f"{function.__module__}.{name} {sha256(source)}"


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # built-in functions tell nothing
        return []


def _is_async(function: Callable[..., Any]) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(function, "__call__", None)  # noqa: B004 - the method itself is looked at
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


async def _gather(coroutines: Sequence[Any]) -> list[Any]:
    return await asyncio.gather(*coroutines, return_exceptions=True)


@functools.cache
def _background() -> asyncio.AbstractEventLoop:
    """One loop in a thread for all calls, since clients belong to the loop that first used them."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="jointcore judge", daemon=True).start()
    return loop


def _in_background(coroutine: Any) -> Any:
    """The result of a coroutine, whether or not the caller is inside a loop; Ctrl-C cancels it."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _background())
    try:
        return future.result()
    except KeyboardInterrupt:
        future.cancel()
        raise
