"""Sufficient input subsets by backward selection (Carter, Mueller, Jain and Gifford, AISTATS 2019)."""

from __future__ import annotations

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Probe, Search, Selection


@method(
    name="Sufficient input subset",
    position=150,
    keeps_decision=True,
    costly=True,
    extension="the first sufficient input subset (Carter et al. 2019) of memory records; sufficient means that the "
    "decision equals the reference; ties in JointCore's order",
)
def sufficient_input_subsets(memory: Memory, *, budget: int) -> Search:
    """Take out, one by one, the record whose absence leaves the largest margin; add back from the last one taken out.

    The subset is the smallest end of that order that was decided equal to the reference (all records if none was).
    Under the logical rule the margin is +1 or -1, so that ties decide. n(n + 1)/2 - 1 evaluations: adding back
    asks nothing new, and the empty set is not asked.
    """
    outside, anchors = memory.anchored_order(budget)
    remaining = outside + anchors
    retained = subset = memory.everything
    evaluations = last = 0
    while len(remaining) > 1:
        answers = yield [Probe(retained & ~(1 << i), 1 << i) for i in remaining]
        margins = [answer.margin for answer in answers]
        best = max(range(len(remaining)), key=margins.__getitem__)
        evaluations += len(remaining)
        retained &= ~(1 << remaining.pop(best))
        if answers[best].same:
            subset, last = retained, evaluations - 1
    dropped = memory.everything & ~subset
    return Selection(subset, drops=((last, dropped),) if dropped else ())
