"""A checkpoint's weights on this machine: loaded when the first prompt is scored, and checked then."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import torch
from transformers import PreTrainedModel

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.transformers.architecture import check_architecture
from jointcore.decisions.transformers.lean_forward import leanest_way
from jointcore.decisions.transformers.loading import load_model, memory_remedy
from jointcore.errors import InputError

_log = logging.getLogger(__name__)


class LoadedModel:
    """The weights of a model, how leanly they may be run, and how many prompts fit beside each other.

    Args:
        entry: the model.
        folder: its checkpoint.
        padding: a token id that fills up short rows.
        leanest: the leanest way to run it that is tried, see :mod:`jointcore.decisions.transformers.lean_forward`.

    Attributes:
        way: the way that is taken; ``None`` before the weights are loaded.
        load_seconds: what loading and checking took; ``None`` before.
        batch_size: prompts that are run side by side at most; fewer once memory ran out.
    """

    def __init__(self, entry: ModelEntry, folder: Path, padding: int, leanest: str) -> None:
        self.entry = entry
        self.padding = padding
        self.way: str | None = None
        self.load_seconds: float | None = None
        self.batch_size = entry.batch_size if entry.runs_batches else 1
        self._folder = folder
        self._leanest = leanest
        self._model: PreTrainedModel | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the weights are in memory."""
        return self._model is not None

    @property
    def model(self) -> PreTrainedModel:
        """The model, loaded and checked on the first call.

        Raises:
            InputError: see :func:`jointcore.decisions.transformers.loading.load_model` and
                :func:`jointcore.decisions.transformers.architecture.check_architecture`.
        """
        if self._model is None:
            self._load()
        return self._model

    def _load(self) -> None:
        started = time.monotonic()
        torch.set_num_threads(self.entry.threads)
        if self.entry.gpus:
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
            torch.use_deterministic_algorithms(True, warn_only=True)
        model = load_model(self.entry, self._folder)
        check_architecture(self.entry, model)
        self.way = leanest_way(model, self._leanest)
        if self.way != self._leanest:
            _log.warning(
                "model %s: the way %r does not give its plain scores, so it is run in the way %r, which takes longer",
                self.entry.key,
                self._leanest,
                self.way,
            )
        self._model = model
        self.load_seconds = round(time.monotonic() - started, 3)

    def no_memory(self, tokens: int) -> InputError:
        """What is said when one prompt alone is too much."""
        return InputError(
            f"model {self.entry.key} ran out of memory on one prompt of {tokens} tokens; {memory_remedy(self.entry)}"
        )

    def use_batches(self, size: int) -> None:
        """Go on with batches of this size after memory ran out."""
        self.batch_size = size
        if self.entry.gpus:
            torch.cuda.empty_cache()
        _log.warning(
            "model %s ran out of memory; going on with batches of %d (set batch_size to that)", self.entry.key, size
        )
