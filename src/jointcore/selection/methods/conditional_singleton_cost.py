"""Cost-aware singleton: one deletion at a time, dearest first."""

from __future__ import annotations

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Probe, Search, Selection


@method(name="Cost-aware singleton", position=50, study=True, keeps_decision=True)
def conditional_singleton_cost(memory: Memory) -> Search:
    """Try each record once, dearest first, and drop it if the decision stays; n evaluations (paper, baselines)."""
    retained = memory.everything
    for i in memory.by_descending_cost():
        record = 1 << i
        answer = yield Probe(retained & ~record, record)
        if answer.same:
            retained &= ~record
    return Selection(retained)
