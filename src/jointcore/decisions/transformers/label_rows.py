"""Labels after a prompt as rows of tokens: as few as score them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch

from jointcore.decisions.scoring import ScoringRequest, ScoringResult, checked


class LabelRow(NamedTuple):
    """A sequence whose run scores some labels of a request.

    Attributes:
        tokens: the prompt, and the labels' tokens but the last one.
        first: the first position whose logits are needed, the prompt's last; they are needed from there on.
        labels: numbers of the labels that it scores.
    """

    tokens: tuple[int, ...]
    first: int
    labels: tuple[int, ...]


def label_rows(request: ScoringRequest) -> list[LabelRow]:
    """One row for all labels that begin alike: the prompt and all tokens of the longest but its last."""
    beginnings = sorted({label[:-1] for label in request.label_ids}, key=lambda tokens: (-len(tokens), tokens))
    rows: dict[tuple[int, ...], list[int]] = {}
    for beginning in beginnings:
        if not any(longer[: len(beginning)] == beginning for longer in rows):
            rows[beginning] = []
    for number, label in enumerate(request.label_ids):
        rows[next(kept for kept in rows if kept[: len(label) - 1] == label[:-1])].append(number)
    prompt = request.token_ids
    return [LabelRow(prompt + kept, len(prompt) - 1, tuple(numbers)) for kept, numbers in rows.items()]


def mean_log_probability(log_probabilities: torch.Tensor, label: tuple[int, ...]) -> float:
    """A label's score: the sum of its tokens' log-probabilities divided by their number.

    Args:
        log_probabilities: (positions, vocabulary), the first one the prompt's last position.
        label: the label's tokens.
    """
    picked = log_probabilities[range(len(label)), list(label)]
    return sum(picked.tolist()) / len(label)


def results_of(
    requests: Sequence[ScoringRequest], scored: Iterable[tuple[int, LabelRow, torch.Tensor]]
) -> list[ScoringResult]:
    """Each request's result, in the order of the requests, from the rows of all of them in any order.

    Args:
        requests: the requests.
        scored: number of a request, one of its rows, and the log-probabilities from the row's first needed position on.
    """
    scores = [[0.0] * len(request.label_ids) for request in requests]
    for number, row, found in scored:
        for label in row.labels:
            scores[number][label] = mean_log_probability(found, requests[number].label_ids[label])
    return [checked(each) for each in scores]
