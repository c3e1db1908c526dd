"""Leaves out what no score needs while a model runs: logits of other positions, and the last layer's work on them.

The last layer's keys and values depend on its input alone, so what is kept for later is complete; only the
feed-forward part of that layer, which nothing but the logits sees, is limited to the positions that are scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from transformers import PreTrainedModel


@contextmanager
def logits_at(model: PreTrainedModel, places: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Let a model compute logits at some places only: a tensor (places, vocabulary), never one of whole prompts.

    Args:
        model: the model.
        places: pairs (row, position) of the batch that is run, in the order of the logits.
    """
    rows, positions = torch.tensor(places, dtype=torch.long).reshape(-1, 2).unbind(1)

    def keep(_module, inputs):
        hidden = inputs[0]
        return (hidden[rows.to(hidden.device), positions.to(hidden.device)], *inputs[1:])

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
    rows, positions = torch.tensor(places, dtype=torch.long).reshape(-1, 2).unbind(1)
    own, whole = vars(part).get("forward"), part.forward  # its own one, if a device map has given it one

    def some(hidden: torch.Tensor) -> torch.Tensor:
        place = rows.to(hidden.device), positions.to(hidden.device)
        found = torch.zeros_like(hidden)
        if len(rows):
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
