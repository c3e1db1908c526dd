"""Keys and values of a batch in one piece of memory, cut from and joined to what is kept of earlier ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from transformers import DynamicCache, PreTrainedModel, cache_utils
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from jointcore.decisions.transformers.prefix_tree import Piece

#: What stands in a cache for a layer that keeps nothing; older versions of Transformers have none.
_BARE = getattr(cache_utils, "DummyLayer", None)

#: Keys and values of one row: a tensor (layers, 2, heads, tokens, size) for each group of like layers.
Kept = tuple[torch.Tensor, ...]


class Group(NamedTuple):
    """Layers whose keys and values have one shape and place."""

    layers: tuple[int, ...]
    heads: int
    size: int
    dtype: torch.dtype
    device: torch.device


class Layout(NamedTuple):
    """How a model's keys and values look.

    Attributes:
        groups: the layers that keep some.
        bare: the others by number: layers that keep nothing, or read what an earlier one keeps.
    """

    groups: tuple[Group, ...]
    bare: dict[int, Any]

    @property
    def token_bytes(self) -> int:
        """Bytes of one token's keys and values in all layers."""
        return sum(2 * len(g.layers) * g.heads * g.size * g.dtype.itemsize for g in self.groups)


def layout_of(cache: DynamicCache) -> Layout | None:
    """The layout of what a model wrote; ``None`` if that is not keys and values for every token alone."""
    found: dict[tuple, list[int]] = {}
    bare = {}
    for number, layer in enumerate(cache.layers):
        if _BARE and type(layer) is _BARE:
            bare[number] = layer
            continue
        keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
        if (
            type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer)
            or keys is None
            or keys.shape != values.shape
            or keys.dim() != 4
        ):
            return None
        found.setdefault((keys.shape[1], keys.shape[3], keys.dtype, keys.device), []).append(number)
    return Layout(tuple(Group(tuple(layers), *shape) for shape, layers in found.items()), bare)


def kept_bytes(kept: Kept) -> int:
    """Bytes of a row's keys and values."""
    return sum(tensor.nbytes for tensor in kept)


class Room:
    """Memory that one batch after the other uses; asking for new memory each time costs more than filling it."""

    def __init__(self) -> None:
        self._memory: dict[int, torch.Tensor] = {}

    def take(self, number: int, shape: tuple[int, ...], group: Group) -> torch.Tensor:
        """A tensor for the layers of the group of this number; what it holds is arbitrary."""
        size = math.prod(shape)
        held = self._memory.get(number)
        if held is None or held.numel() < size:
            self._memory.pop(number, None)
            self._memory[number] = held = torch.empty(size, dtype=group.dtype, device=group.device)
        return held[:size].view(shape)

    def clear(self) -> None:
        """Give the memory back."""
        self._memory.clear()


class BatchCache:
    """Keys and values of a batch: what is known of each row, ending where the new tokens begin, and room for these.

    Known tokens stand directly before the new ones, so that distances between tokens are those of the
    positions, and sliding windows see what they should. The holes before shorter rows must be masked.

    Args:
        layout: the model's layout.
        known: the kept pieces of each row.
        past: tokens of the longest row's pieces.
        new: tokens of the longest row that are to be run.
        room: where they stand; an earlier batch in it must not be used any more.
    """

    def __init__(self, layout: Layout, known: Sequence[Sequence[Piece]], past: int, new: int, room: Room) -> None:
        self._past = past
        self._buffers = [
            room.take(number, (len(group.layers), 2, len(known), group.heads, past + new, group.size), group)
            for number, group in enumerate(layout.groups)
        ]
        for row, pieces in enumerate(known):
            place = past - sum(piece.stop - piece.start for piece in pieces)
            for buffer in self._buffers:
                buffer[:, :, row, :, :place] = 0  # a hole is masked, but must hold numbers
            for content, start, stop in pieces:
                for buffer, kept in zip(self._buffers, content, strict=True):
                    buffer[:, :, row, :, place : place + stop - start] = kept[:, :, :, start:stop]
                place += stop - start
        layers = dict(layout.bare)
        for group, buffer in zip(layout.groups, self._buffers, strict=True):
            for number, layer in enumerate(group.layers):
                layers[layer] = _Layer(buffer[number, 0], buffer[number, 1], past)
        self.cache = DynamicCache()
        self.cache.layers = [layers[number] for number in range(len(layers))]

    def cut(self, row: int, start: int, stop: int) -> Kept:
        """A copy of the keys and values of a row's new tokens ``[start, stop)``."""
        first = self._past
        return tuple(buffer[:, :, row, :, first + start : first + stop].clone() for buffer in self._buffers)


class _Layer(DynamicLayer):
    """A layer that writes new keys and values into memory that has room for them."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, filled: int) -> None:
        super().__init__()
        self.keys, self.values = keys, values
        self.dtype, self.device = keys.dtype, keys.device
        self.is_initialized = True
        self._filled = filled

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *_, **__) -> tuple[torch.Tensor, ...]:
        start, self._filled = self._filled, self._filled + key_states.shape[-2]
        self.keys[:, :, start : self._filled] = key_states
        self.values[:, :, start : self._filled] = value_states
        return self.keys[:, :, : self._filled], self.values[:, :, : self._filled]

    def get_seq_length(self) -> int:
        return self._filled


@torch.inference_mode()
def find_layout(model: PreTrainedModel, argument: str) -> Layout | None:
    """Run one token to see what keys and values a model writes; see :func:`layout_of`.

    Args:
        model: the model.
        argument: the name under which its ``forward`` takes a cache.
    """
    cache = DynamicCache(config=model.config)
    token = torch.zeros((1, 1), dtype=torch.long, device=model.get_input_embeddings().weight.device)
    model(input_ids=token, use_cache=True, **{argument: cache})
    return layout_of(cache)
