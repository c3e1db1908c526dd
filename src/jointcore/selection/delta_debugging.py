"""Delta debugging: ddmin (Zeller and Hildebrandt, IEEE Transactions on Software Engineering 28(2), 2002)."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from jointcore.bitsets import bitset
from jointcore.selection.decided import ask
from jointcore.selection.protocol import Memory, Search, Selection

Parts = list[list[int]]


def ddmin(memory: Memory, order: Sequence[int]) -> Search:
    """Reduce to a part, else to the complement of a part, else refine the partition.

    The variant that the package picire runs: parts first, then complements, which go on from where the last
    one was dropped; a known answer is not asked again. At most n² + 3n evaluations.

    Args:
        memory: the task's memory.
        order: all ids, as the configuration to reduce; its first half is the first part.
    """
    config, parts, offset = list(order), [list(order)], 0.0
    decided = {memory.everything: True}
    while len(config) > 1:
        if len(parts) == 1:
            parts = refined(parts)
        reduced = yield from _to_part(decided, config, parts)
        if reduced is not None:
            parts, offset = [reduced], 0.0
        else:
            position = yield from _to_complement(decided, config, parts, offset)
            if position is not None:
                parts, offset = parts[:position] + parts[position + 1 :], float(position)
            elif len(parts) < len(config):
                finer = refined(parts)
                parts, offset = finer, offset * len(finer) / len(parts)
            else:
                break
        config = [record for part in parts for record in part]
    return Selection(bitset(config))


def refined(parts: Parts) -> Parts:
    """Twice as many parts (or single records), of sizes that grow from front to back by at most one."""
    config = [record for part in parts for record in part]
    count = min(len(config), 2 * len(parts))
    result, start = [], 0
    for i in range(count):
        stop = start + (len(config) - start) // (count - i)
        result.append(config[start:stop])
        start = stop
    return result


def _to_part(decided: dict[int, bool], config: list[int], parts: Parts) -> Generator:
    everything = bitset(config)
    for part in parts:
        retained = bitset(part)
        if (yield from ask(decided, retained, everything & ~retained)):
            return part
    return None


def _to_complement(decided: dict[int, bool], config: list[int], parts: Parts, offset: float) -> Generator:
    everything = bitset(config)
    for i in range(len(parts)):
        position = int((i + offset) % len(parts))
        group = bitset(parts[position])
        if (yield from ask(decided, everything & ~group, group)):
            return position
    return None
