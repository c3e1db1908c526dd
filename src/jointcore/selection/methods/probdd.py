"""Probabilistic delta debugging (Wang et al., ESEC/FSE 2021)."""

from __future__ import annotations

from jointcore.bitsets import bitset
from jointcore.selection.decided import ask
from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection

#: Initial probability that a record is needed, the authors' default.
INITIAL = 0.1


@method(
    name="ProbDD",
    position=140,
    keeps_decision=True,
    extension="probabilistic delta debugging (Wang et al. 2021) on memory records, ties in JointCore's order; a known "
    "answer is not asked again",
)
def probdd(memory: Memory, *, budget: int) -> Search:
    """Drop the group with the largest expected gain; a failure raises its records' probabilities by Bayes' rule.

    A record whose group of one cannot be dropped stays. At most 17n evaluations: a failed group of two or more
    raises the probability of each of its records by more than 5%, and none above 1/2 is in such a group.
    """
    outside, anchors = memory.anchored_order(budget)
    order = outside + anchors
    needed = dict.fromkeys(order, INITIAL)
    retained = memory.everything
    decided: dict[int, bool] = {}
    while open_records := [i for i in order if i in needed]:
        open_records.sort(key=needed.__getitem__)
        group, free = largest_gain(open_records, needed)
        dropped = bitset(group)
        if (yield from ask(decided, retained & ~dropped, dropped)):
            retained &= ~dropped
        elif len(group) > 1:
            for i in group:
                needed[i] = min(1.0, needed[i] / (1 - free))
            continue
        for i in group:
            del needed[i]
    return Selection(retained)


def largest_gain(records: list[int], needed: dict[int, float]) -> tuple[list[int], float]:
    """The first records whose number times the probability that none is needed is largest, and that probability.

    Args:
        records: records by ascending probability.
        needed: the probability of each.
    """
    size, best, chance, best_chance = 1, 0.0, 1.0, 1 - needed[records[0]]
    for count, record in enumerate(records, 1):
        chance *= 1 - needed[record]
        if count * chance > best:
            size, best, best_chance = count, count * chance, chance
    return records[:size], best_chance
