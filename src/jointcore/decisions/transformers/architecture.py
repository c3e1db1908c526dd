"""Whether a loaded model is one whose labels can be scored: one probe that any model passes or is refused by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from transformers import PreTrainedModel

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.transformers.lean_forward import probe_tokens, tolerance
from jointcore.errors import InputError

#: Names under which configurations give the longest input, in tokens.
_LENGTHS = (
    "max_position_embeddings",
    "n_positions",
    "n_ctx",
    "max_seq_len",
    "max_sequence_length",
    "max_seq_length",
    "seq_length",
    "max_context_length",
    "model_max_length",
)
#: Parts of a configuration that describe the language model of a larger one.
_PARTS = ("text_config", "llm_config", "language_config", "decoder")


def context_length(config: Mapping[str, Any]) -> int | None:
    """The longest input of a model in tokens, by its ``config.json``; ``None`` if that gives none."""
    for part in [*(config.get(name) for name in _PARTS), config]:
        if isinstance(part, Mapping):
            found = [part[name] for name in _LENGTHS if isinstance(part.get(name), int) and part[name] > 0]
            if found:
                return found[0]
    return None


def embedding_rows(config: Mapping[str, Any]) -> int | None:
    """The number of token ids that a model has, by its ``config.json``; ``None`` if that does not say."""
    for part in [*(config.get(name) for name in _PARTS), config]:
        if isinstance(part, Mapping) and isinstance(part.get("vocab_size"), int):
            return part["vocab_size"]
    return None


@torch.inference_mode()
def check_architecture(entry: ModelEntry, model: PreTrainedModel) -> None:
    """Run a few tokens to see that a model gives logits for every token and reads from left to right.

    Raises:
        InputError: it does not run, gives no logits of that shape, or lets a position see later ones (an encoder).
    """
    kind = f"model {entry.key} ({type(model).__name__}, {entry.source})"
    tokens = probe_tokens(model, 2)
    # Two rows that differ in their last token alone: what stands before must not know.
    tokens[1] = tokens[0]
    tokens[1, -1] = (tokens[0, -1] + 1) % model.get_input_embeddings().weight.shape[0]
    try:
        logits = model(input_ids=tokens, use_cache=False).logits
    except Exception as error:  # a model's own code may fail in any way
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise InputError(
            f"{kind} does not run on tokens alone ({reason}); choose a causal language model, or correct its loader"
        ) from error
    if not isinstance(logits, torch.Tensor) or logits.shape[:2] != tokens.shape or logits.dim() != 3:
        raise InputError(f"{kind} gives no logits for every token; choose a causal language model")
    moved = (logits[0, :-1].float() - logits[1, :-1].float()).abs().max()
    if moved > tolerance(logits, model.dtype):  # a score that is no number is told apart later
        raise InputError(
            f"{kind} does not read from left to right: an earlier position's logits change with a later token, as an "
            "encoder's do, so labels cannot be scored; choose a causal language model"
        )
