"""Context attribution from groups of records down to single ones."""

from __future__ import annotations

import math
from itertools import pairwise

from jointcore.bitsets import bitset
from jointcore.selection.attribution import ask_all, smallest_prefix
from jointcore.selection.protocol import Answer, Memory, Search, Selection

#: Groups that a round of the screening goes on with, the default of TracLLM.
KEPT_GROUPS = 5


def split(records: list[int], parts: int) -> list[list[int]]:
    """A list in so many consecutive parts of almost one length; no empty part."""
    parts = min(parts, len(records))
    ends = [len(records) * part // parts for part in range(parts + 1)]
    return [records[start:end] for start, end in pairwise(ends)]


def hierarchical_leave_one_out(memory: Memory, empty_set_fails: bool) -> Search:
    """Leave one group out, then one record of the groups that are missed most (hierarchical attribution of AttriBoT,
    Liu et al. 2024).

    Groups are about the square root of n consecutive records; half of them, rounded up, are looked into.
    """
    if not memory.count:
        return Selection(0)
    known: dict[int, Answer] = {}
    groups = split(list(range(memory.count)), math.ceil(math.sqrt(memory.count)))
    without = yield from ask_all(memory, known, [memory.everything & ~bitset(group) for group in groups])
    ranked = sorted(range(len(groups)), key=without.__getitem__)  # the lowest margin: missed most
    weights = [(0, -without[place]) for place, group in enumerate(groups) for _ in group]
    inside = [record for place in ranked[: math.ceil(len(groups) / 2)] for record in groups[place]]
    margins = yield from ask_all(memory, known, [memory.everything & ~(1 << record) for record in inside])
    for record, margin in zip(inside, margins, strict=True):
        weights[record] = (1, -margin)
    return (yield from smallest_prefix(memory, known, weights, empty_set_fails))


def screening(memory: Memory, empty_set_fails: bool) -> Search:
    """Score groups, go on with the best, split them, down to single records (after the informed search of TracLLM,
    Wang et al. 2025).

    A group's score is the larger of what it adds alone to an empty memory and what the remaining records lose without
    it. A round scores up to ten groups and goes on with five, each split in two. The publication's ensemble has sampled
    Shapley values besides.
    """
    if not memory.count:
        return Selection(0)
    known: dict[int, Answer] = {}
    weights: list[tuple] = [()] * memory.count
    groups, rounds = split(list(range(memory.count)), 2 * KEPT_GROUPS), 0
    while True:
        remaining = bitset(record for group in groups for record in group)
        alone = [bitset(group) for group in groups]
        nothing, whole, *margins = yield from ask_all(
            memory, known, [0, remaining, *alone, *(remaining & ~group for group in alone)]
        )
        pairs = zip(margins[: len(groups)], margins[len(groups) :], strict=True)
        scores = [max(with_it - nothing, whole - without_it) for with_it, without_it in pairs]
        for group, score in zip(groups, scores, strict=True):
            for record in group:
                weights[record] = (rounds, score)
        if all(len(group) == 1 for group in groups):
            return (yield from smallest_prefix(memory, known, weights, empty_set_fails))
        best = sorted(range(len(groups)), key=scores.__getitem__, reverse=True)[:KEPT_GROUPS]
        groups = [part for place in sorted(best) for part in split(groups[place], 2)]
        rounds += 1
