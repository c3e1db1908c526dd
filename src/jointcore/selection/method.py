"""What a selection method is: a search with a name, registered by a decorator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jointcore.selection.protocol import Memory, Search

#: Parameters that a search may ask for by a keyword-only argument of that name.
#: ``minimum_cost_sets`` is the truth about the task, for the oracle alone; the others are settings.
SETTINGS = ("budget", "cap", "empty_set_fails")
TRUTH = "minimum_cost_sets"


@dataclass(frozen=True, slots=True)
class Method:
    """A selection method.

    Attributes:
        slug: its name in configuration, paths and results; that of its function and module.
        name: its name in tables and figures, the paper's where it has one.
        position: place in tables and figures; the study's eight come first, in its order.
        search: starts the search on a memory with the settings that it uses.
        uses: the parameters that the search asks for.
        study: one of the published study's eight methods.
        keeps_decision: with a deterministic decider the selected set was itself decided equal to the
            reference, or nothing was dropped; whatever the decider, monotone or not.
        costly: the number of evaluations grows faster than the number of records, or is several times as large at the
            study's n; "all" leaves the method out, so that it runs where it is named.
        extension: what the method adds to or changes in a published one, for its footnote; empty if nothing.
    """

    slug: str
    name: str
    position: int
    search: Callable[..., Search]
    uses: tuple[str, ...]
    study: bool
    keeps_decision: bool
    costly: bool
    extension: str

    def start(self, memory: Memory, parameters: dict[str, Any]) -> Search:
        """The search on one memory; ``parameters`` may hold more than the method uses.

        Raises:
            ValueError: a parameter that the method uses is missing.
        """
        missing = [name for name in self.uses if name not in parameters]
        if missing:
            raise ValueError(f"method {self.slug} needs the parameter {missing[0]}; give it under 'selection'")
        return self.search(memory, **{name: parameters[name] for name in self.uses})

    def description(self) -> dict[str, Any]:
        """What tables and figures need to know of the method."""
        return {"slug": self.slug, "name": self.name, "study": self.study, "extension": self.extension}


def method(
    *,
    name: str,
    position: int,
    study: bool = False,
    keeps_decision: bool = False,
    costly: bool = False,
    extension: str = "",
) -> Callable[[Callable[..., Search]], Method]:
    """Register the decorated search function as a method; see :class:`Method` for the arguments.

    The function takes a :class:`~jointcore.selection.protocol.Memory` and, by keyword-only arguments
    without a default, the settings that it uses. So a changed setting reruns only the methods that use it.

    Raises:
        TypeError: the function asks for a parameter that no driver offers.
    """

    def register(search: Callable[..., Search]) -> Method:
        _, *others = inspect.signature(search).parameters.values()
        for parameter in others:
            if parameter.kind is not parameter.KEYWORD_ONLY or parameter.name not in (*SETTINGS, TRUTH):
                raise TypeError(
                    f"method {search.__name__} asks for {parameter.name!r}; a search takes the memory and, as "
                    f"keyword-only arguments, any of {', '.join((*SETTINGS, TRUTH))}"
                )
        uses = tuple(parameter.name for parameter in others)
        return Method(search.__name__, name, position, search, uses, study, keeps_decision, costly, extension)

    return register
