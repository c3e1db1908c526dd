"""Leaves out what no score needs while a model runs: logits of other positions, and the last layer's work on them.

The last layer's keys and values depend on its input alone, so what is kept for later is complete; only the
feed-forward part of that layer, which nothing but the logits sees, is limited to the positions that are scored.

How a model's parts call each other is its own affair. So the leanest way that gives the plain scores is found on the
loaded model (:func:`leanest_way`), and a model that no lean way suits is run plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from transformers import PreTrainedModel

#: Ways to run a model, the leanest first: the last layer's feed-forward part and the logits at the scored positions
#: only; the logits only; everything.
LAST_LAYER, LOGITS, WHOLE = WAYS = ("last layer", "logits", "whole")
#: By how much scores may differ, in parts of the largest logit, with the type of the weights.
_TOLERANCE = {torch.float32: 1e-4}
_COARSE = 3e-2
_LENGTH = 8


def scored_logits(model: PreTrainedModel, places: Sequence[tuple[int, int]], way: str, **inputs: Any) -> torch.Tensor:
    """Run a model: its logits at some places, shape (places, vocabulary).

    Args:
        model: the model.
        places: pairs (row, position) of the batch, in the order of the logits.
        way: one of :data:`WAYS`.
        inputs: what its ``forward`` is given.
    """
    if way == WHOLE:
        logits = model(**inputs).logits
        rows, positions = _indices(places, logits.device)
        return logits[rows, positions]
    with logits_at(model, places), last_layer_at(model, places) if way == LAST_LAYER else nullcontext():
        return model(**inputs).logits


@torch.inference_mode()
def leanest_way(model: PreTrainedModel, leanest: str = LAST_LAYER) -> str:
    """The leanest way, from ``leanest`` on, that gives a model's plain logits for one, two and three rows."""
    ways = WAYS[WAYS.index(leanest) :]
    batches = []
    for count in (1, 2, 3):
        tokens = probe_tokens(model, count)
        places = [(row, _LENGTH - 1 - row) for row in range(count)]
        batches.append((tokens, places, scored_logits(model, places, WHOLE, input_ids=tokens)))
    for way in ways[:-1]:
        if all(_agrees(model, way, *batch) for batch in batches):
            return way
    return WHOLE


def probe_tokens(model: PreTrainedModel, rows: int) -> torch.Tensor:
    """Token ids that a model has, shape (rows, 8), no two rows alike."""
    weight = model.get_input_embeddings().weight
    ids = torch.arange(rows * _LENGTH).reshape(rows, _LENGTH) * 7 + 1
    return (ids % weight.shape[0]).to(weight.device)


def tolerance(plain: torch.Tensor, dtype: torch.dtype) -> float:
    """By how much logits may differ that were computed from the same numbers in other shapes."""
    return _TOLERANCE.get(dtype, _COARSE) * max(1.0, float(plain.abs().max()))


def _agrees(
    model: PreTrainedModel, way: str, tokens: torch.Tensor, places: list[tuple[int, int]], plain: torch.Tensor
) -> bool:
    try:
        found = scored_logits(model, places, way, input_ids=tokens)
    except Exception:  # a model's own code may fail in any way where it is called as it does not expect
        return False
    if not isinstance(found, torch.Tensor) or found.shape != plain.shape:
        return False
    # What is no number in both is no difference.
    return not bool((found.float() - plain.float()).abs().max() > tolerance(plain, model.dtype))


@contextmanager
def logits_at(model: PreTrainedModel, places: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Let a model compute logits at some places only: a tensor (places, vocabulary), never one of whole prompts.

    Args:
        model: the model.
        places: pairs (row, position) of the batch that is run, in the order of the logits.
    """

    def keep(_module, inputs):
        hidden = inputs[0]
        return (hidden[_indices(places, hidden.device)], *inputs[1:])

    hook = model.get_output_embeddings().register_forward_pre_hook(keep)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def last_layer_at(model: PreTrainedModel, places: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Let the feed-forward part of a model's last layer see some places only; elsewhere its output is zero.

    A model whose last layer has no part of that name is left as it is.

    Args:
        model: the model; its logits are right at these places only.
        places: pairs (row, position) of the batch that is run.
    """
    layers = getattr(model.get_decoder(), "layers", None)
    part = getattr(layers[-1], "mlp", None) if layers is not None else None
    if part is None:
        yield
        return
    own, whole = vars(part).get("forward"), part.forward  # its own one, if a device map has given it one

    def some(hidden: torch.Tensor) -> torch.Tensor:
        place = _indices(places, hidden.device)
        found = torch.zeros_like(hidden)
        if len(places):
            found[place] = whole(hidden[place][None])[0]
        return found

    part.forward = some
    try:
        yield
    finally:
        if own is None:
            del part.forward
        else:
            part.forward = own


def _indices(places: Sequence[tuple[int, int]], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    rows, positions = torch.tensor(places, dtype=torch.long).reshape(-1, 2).unbind(1)
    return rows.to(device), positions.to(device)
