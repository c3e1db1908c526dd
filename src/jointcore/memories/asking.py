"""Between a search and a judge: every set is asked once, every call is written down, and the cap holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from jointcore.decisions.protocol import Decision, Judge, Query
from jointcore.errors import InputError
from jointcore.memories.answer_store import AnswerStore
from jointcore.memories.function_judge import NoDecisionError
from jointcore.tasks.question import Question

JUDGE, STORE, MEMO = "judge", "store", "memo"


class Asked(NamedTuple):
    """A set that was decided.

    Attributes:
        retained: the retained set, a bitset.
        decision: the decision on it.
        source: who answered: the judge, the store, or the memo that several methods share.
    """

    retained: int
    decision: Decision
    source: str


class Decider(Protocol):
    """Whoever decides retained sets of one memory.

    Attributes:
        calls: calls made so far, ones that failed included.
    """

    calls: int

    def decide(self, sets: Sequence[int]) -> Iterator[tuple[int, Decision]]:
        """The position of each set and its decision, as they come."""
        ...


class StoppedError(Exception):
    """No further question can be asked; the text says why."""


class CatalogueDecider:
    """A judge of the catalogue on one question.

    Args:
        judge: the judge.
        question: the question.
    """

    def __init__(self, judge: Judge, question: Question) -> None:
        self._judge = judge
        self._question = question
        self._own = getattr(judge, "counts", None)
        self._before = self._own.asked if self._own else 0
        self._calls = 0

    @property
    def calls(self) -> int:
        """Calls made so far, without what the judge's own store answered."""
        return self._own.asked - self._before if self._own else self._calls

    def decide(self, sets: Sequence[int]) -> Iterator[tuple[int, Decision]]:
        """See :class:`Decider`."""
        self._calls += len(sets)
        return enumerate(self._judge.decide([Query(self._question, retained) for retained in sets]))


class Asker:
    """Asks a judge about sets of one memory.

    Args:
        decider: who decides.
        cap: calls of it at most; ``None`` for no limit.
        store: keeps answers across processes.
        watch: called after each set that was decided.

    Attributes:
        log: what the present run asked, each set once, in order.
    """

    def __init__(
        self,
        decider: Decider,
        cap: int | None = None,
        store: AnswerStore | None = None,
        watch: Callable[[Asked], None] | None = None,
    ) -> None:
        self._decider = decider
        self._cap = cap
        self._store = store
        self._watch = watch
        self._known: dict[int, Decision] = {}
        self._here: dict[int, Asked] = {}

    @property
    def calls(self) -> int:
        """Calls of the judge made so far, ones that failed included."""
        return self._decider.calls

    @property
    def log(self) -> list[Asked]:
        """What the present run asked."""
        return list(self._here.values())

    def begin(self) -> None:
        """Begin another run, which shares the answers of the earlier ones."""
        self._here = {}

    def decide(self, sets: Sequence[int]) -> list[Decision]:
        """A decision for each set.

        Raises:
            StoppedError: the cap is reached, or the judge failed; the answers up to then are kept.
        """
        missing = []
        for retained in dict.fromkeys(sets):
            if retained in self._known:
                self._note(retained, self._known[retained], MEMO)
                continue
            stored = self._store.get(retained) if self._store else None
            if stored is None:
                missing.append(retained)
            else:
                self._note(retained, stored, STORE)
        allowed = len(missing) if self._cap is None else max(0, self._cap - self.calls)
        self._ask(missing[:allowed])
        if allowed < len(missing):
            raise StoppedError(f"the cap of {self._cap} calls is reached")
        return [self._known[retained] for retained in sets]

    def ask_again(self, retained: int) -> Decision:
        """Ask the judge about a set whatever is known of it.

        Raises:
            StoppedError: see :meth:`decide`.
        """
        if self._cap is not None and self.calls >= self._cap:
            raise StoppedError(f"the cap of {self._cap} calls is reached")
        ((_, decision),) = self._answers([retained])
        return decision

    def _ask(self, sets: Sequence[int]) -> None:
        for position, decision in self._answers(sets):
            self._note(sets[position], decision, JUDGE)
            if self._store:
                try:
                    self._store.add(sets[position], decision)
                except (InputError, NoDecisionError) as error:
                    raise StoppedError(str(error)) from error

    def _answers(self, sets: Sequence[int]) -> Iterator[tuple[int, Decision]]:
        try:
            yield from self._decider.decide(sets) if sets else ()
        except KeyboardInterrupt:
            raise StoppedError("the run was interrupted") from None
        except (InputError, NoDecisionError) as error:
            raise StoppedError(str(error)) from error
        except Exception as error:
            text = " ".join(str(error).split())
            raise StoppedError(f"the judge raised {type(error).__name__}: {text}".rstrip(": ")) from error

    def _note(self, retained: int, decision: Decision, source: str) -> None:
        self._known[retained] = decision
        if retained not in self._here:
            self._here[retained] = Asked(retained, decision, source)
            if self._watch:
                self._watch(self._here[retained])
