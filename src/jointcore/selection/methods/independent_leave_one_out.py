"""Leave-one-out: marginal influence of every record against full memory."""

from __future__ import annotations

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Probe, Search, Selection


@method(name="Leave-one-out", position=40, study=True)
def independent_leave_one_out(memory: Memory) -> Search:
    """Keep the records whose absence alone changes the decision; n evaluations (paper, section on baselines)."""
    everything = memory.everything
    records = [1 << i for i in range(memory.count)]
    answers = yield [Probe(everything & ~record, record) for record in records]
    return Selection(sum(record for record, answer in zip(records, answers, strict=True) if not answer.same))
