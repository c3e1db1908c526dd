"""Relevance that is wrong: seeded noise on the retrieval scores."""

from __future__ import annotations

from dataclasses import replace

from jointcore.hashing import stable_rng
from jointcore.selection.protocol import Memory

#: The noise level at which the scores of a task are dealt out anew among its records.
SHUFFLE = "shuffle"
_DECIMALS = 8


def perturbed(memory: Memory, noise: float | str, seed: int) -> Memory:
    """A memory with perturbed relevance; costs and contents stay.

    The normal draws of a task and seed are the same at every level, so that a curve over levels is of one piece.
    Scores are rounded like the benchmark's.

    Args:
        memory: the memory.
        noise: standard deviation of normal noise, in units of relevance, or :data:`SHUFFLE`.
        seed: seed of the noise.
    """
    if noise == 0:
        return memory
    if noise == SHUFFLE:
        scores = list(memory.relevance)
        stable_rng("relevance-shuffle", seed, memory.id).shuffle(scores)
        return replace(memory, relevance=tuple(scores))
    gauss = stable_rng("relevance-noise", seed, memory.id).gauss
    return replace(memory, relevance=tuple(round(score + noise * gauss(), _DECIMALS) for score in memory.relevance))
