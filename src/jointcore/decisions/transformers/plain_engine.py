"""Runs every prompt whole, from its first token: one at a time, or in batches of prompts of similar length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.transformers.label_rows import LabelRow, label_rows, results_of
from jointcore.decisions.transformers.lean_forward import scored_logits
from jointcore.decisions.transformers.loaded_model import LoadedModel
from jointcore.decisions.transformers.loading import out_of_memory


class PlainEngine:
    """Scores prompts with nothing kept of others.

    Args:
        weights: the model.
    """

    def __init__(self, weights: LoadedModel) -> None:
        self._weights = weights

    def answers(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        """Results of prompts that are not too long, in their order.

        Raises:
            InputError: the model cannot be loaded, or memory runs out with one prompt at a time.
        """
        results: dict[int, ScoringResult] = {}
        waiting = list(range(len(requests)))
        if self._weights.entry.runs_batches:
            waiting.sort(key=lambda number: -requests[number].length)
        while waiting:
            size = self._weights.batch_size
            batch, rest = waiting[:size], waiting[size:]
            scored = self._try_batch([requests[number] for number in batch])
            if scored is None:
                self._weights.use_batches(size // 2)
                continue
            results.update(zip(batch, scored, strict=True))
            waiting = rest
        return [results[number] for number in range(len(requests))]

    def alone(self, request: ScoringRequest) -> ScoringResult:
        """The result of a prompt alone, from its first token."""
        return self._score_batch([request])[0]

    def facts(self) -> dict[str, Any]:
        """What the runtime record says besides: nothing."""
        return {}

    def _try_batch(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult] | None:
        """The results of a batch; ``None`` if memory ran out and fewer prompts at a time may do."""
        try:
            return self._score_batch(requests)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            if self._weights.batch_size == 1:
                raise self._weights.no_memory(requests[0].length) from error
            return None

    def _score_batch(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        rows = [(number, row) for number, request in enumerate(requests) for row in label_rows(request)]
        logits = self._logits([row for _, row in rows])
        positions = logits.float().log_softmax(-1).split([len(row.tokens) - row.first for _, row in rows])
        return results_of(requests, ((*row, found) for row, found in zip(rows, positions, strict=True)))

    @torch.inference_mode()
    def _logits(self, rows: Sequence[LabelRow]) -> torch.Tensor:
        """Logits at the rows' positions, one after the other; those of the other positions are never computed.

        Rows are filled up at their end, where a causal model's earlier positions cannot see.
        """
        model = self._weights.model
        length = max(len(row.tokens) for row in rows)
        padding = self._weights.padding
        tokens = torch.tensor([row.tokens + (padding,) * (length - len(row.tokens)) for row in rows])
        needed = [(number, place) for number, row in enumerate(rows) for place in range(row.first, len(row.tokens))]
        tokens = tokens.to(model.get_input_embeddings().weight.device)
        return scored_logits(model, needed, self._weights.way, input_ids=tokens, use_cache=False)
