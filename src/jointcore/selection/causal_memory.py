"""Causal Memory Intervention without labels (Srivastava, arXiv 2605.17641): each candidate on its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jointcore.selection.protocol import Answer, Memory, Probe, Search, Selection


def agreement(answer: Answer) -> float:
    """Score of an answer: 1 if the decision equals the one on full memory, else 0."""
    return float(answer.same)


def margin(answer: Answer) -> float:
    """Score of an answer: by how much the decision on full memory beats the other one."""
    return answer.margin


def causal_memory(memory: Memory, candidates: Sequence[int], score: Callable[[Answer], float]) -> Search:
    """Select the candidates that help alone and do not lose by being true.

    Utility is the score with the candidate alone minus that with no memory; stability is the score with the
    candidate alone minus that with the candidate shown altered. Selected: utility above 0 and stability at
    least 0. An undefined difference (both decisions invalid) selects nothing. 2k + 1 evaluations for k candidates.

    Args:
        memory: the task's memory.
        candidates: ids.
        score: score of an answer.
    """
    probes = [Probe(0, 0)]
    for i in candidates:
        probes += [Probe(1 << i, 0), Probe(1 << i, 0, altered=1 << i)]
    answers = yield probes
    nothing, *scores = map(score, answers)
    selected = 0
    for i, alone, altered in zip(candidates, scores[::2], scores[1::2], strict=True):
        if alone - nothing > 0 and alone - altered >= 0:
            selected |= 1 << i
    return Selection(selected, drops=((len(probes) - 1, memory.everything & ~selected),))
