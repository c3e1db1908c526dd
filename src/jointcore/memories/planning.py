"""How many calls a search takes, before any is made."""

from __future__ import annotations

from jointcore.bitsets import bitset, full
from jointcore.evaluation.driver import drive
from jointcore.memories.options import Options
from jointcore.selection.catalogue import load_method
from jointcore.selection.protocol import Answer
from jointcore.tasks.question import Question

#: Evaluations at most of n records, where that is known (``docs/searches.md``).
_BOUNDS = {
    "jointcore_anchored": lambda n: 2 * n,
    "independent_leave_one_out": lambda n: n,
    "conditional_singleton_cost": lambda n: n,
    "full_memory": lambda n: 0,
    "semantic_top_b": lambda n: 0,
    "random_b": lambda n: 0,
    "sufficient_input_subsets": lambda n: n * (n + 1) // 2,
}


def calls_at_most(method: str, count: int, cap: int | None, goal: str = "select") -> int | None:
    """Calls at most on so many memories; ``None`` if no bound is known.

    Full memory is a call, and the set that a search selects is another one if the search did not ask it; what
    overturns a decision asks the empty memory besides.
    """
    bound = _BOUNDS.get(method)
    most = None if bound is None else bound(count) + (2 if goal == "overturn" else 1)
    if most is not None and not load_method(method).keeps_decision:
        most += 1
    if most is not None:
        most = min(most, 2**count)
    return cap if most is None else most if cap is None else min(cap, most)


def calls_expected(method: str, question: Question, needed: int, options: Options) -> int:
    """Calls if the most relevant memories, so many of them, are needed and nothing else."""
    memory = question.memory
    wanted = bitset(memory.most_relevant(needed))
    asked = {full(memory.count)}

    def decide(probes):
        asked.update(probe.retained for probe in probes)
        same = [probe.retained & wanted == wanted for probe in probes]
        return [Answer(yes, 1.0 if yes else -1.0) for yes in same]

    settings = {"budget": options.budget, "cap": 10**9, "empty_set_fails": options.empty_set_fails}
    trace = drive(load_method(method).start(memory, settings), decide)
    return len(asked | {trace.selection.retained})
