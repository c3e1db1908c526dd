"""Scores labels with a Transformers checkpoint (paper, section on label scoring).

A label's score is the mean conditional log-probability of its tokens after the chat template's generation
prompt: the sum of its tokens' log-probabilities, from a float32 log-softmax, divided by their number.

**Deterministic mode** (the default) runs one prompt at a time, so that every number that enters a score has the
same place in the same shapes whatever else is asked: label scores are bitwise independent of batch mates,
shard, order and resume, for one machine, set of libraries and number of threads. Batches of a fixed shape
were tried instead, on a CPU in float32: with one thread they kept every bit in each of 28 cases (four shapes of
model, seven of batch), with two threads batches of 7 rows of 128 tokens did not. So they promise nothing.

**Fast mode** runs batches of prompts of similar length. It gives up that independence: a score may differ in
its last digits with the company of its prompt, so that a near tie may be decided otherwise. A check at the
start (:mod:`jointcore.decisions.transformers.start_check`) says by how much.
"""

from __future__ import annotations

import logging
import resource
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from jointcore.decisions.checkpoints.locate import locate, read_config
from jointcore.decisions.models.entry import MAX_TOKENS, ModelEntry
from jointcore.decisions.prompts.samples import sample_prompts
from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.transformers.architecture import context_length, embedding_rows
from jointcore.decisions.transformers.chat import ChatEncoder
from jointcore.decisions.transformers.chat_template import template_identity
from jointcore.decisions.transformers.lean_forward import LAST_LAYER, LOGITS
from jointcore.decisions.transformers.loaded_model import LoadedModel
from jointcore.decisions.transformers.loading import check_devices
from jointcore.decisions.transformers.plain_engine import PlainEngine
from jointcore.decisions.transformers.prefix_engine import BLOCK, PrefixEngine
from jointcore.decisions.transformers.prefix_engine import VERSION as PREFIX_VERSION
from jointcore.decisions.transformers.start_check import StartCheck

#: Enters every store key: raise it when a change to this module changes scores.
VERSION = "mean log-probability, version 1"

_log = logging.getLogger(__name__)


def check_model(
    entry: ModelEntry, template: PromptTemplate | None = None, *, devices: bool = True, endpoint: str | None = None
) -> None:
    """Check everything about a model that can be known without loading its weights.

    Args:
        entry: the model.
        template: the wording, to check its labels.
        devices: whether this is the machine that will run the model.
        endpoint: address of the hub; the public one, or what the environment says, by default.

    Raises:
        InputError: the checkpoint is missing, gated, renamed, not the pinned one, not in safetensors, or does
            not fit its precision; the tokenizer or its chat template is missing; a label has no tokens; this
            machine lacks the GPUs.
    """
    checkpoint = locate(entry, weights=False, endpoint=endpoint)
    config = read_config(entry, checkpoint.folder)
    encoder = ChatEncoder(entry, checkpoint.folder, embedding_rows(config))
    if template is not None:
        encoder.check(sample_prompts(template))
    if devices:
        check_devices(entry)


class TransformersScorer:
    """A checkpoint that scores labels; its weights are loaded when the first prompt is scored.

    Args:
        entry: the model.
        endpoint: address of the hub; the public one, or what the environment says, by default.
        max_tokens: a prompt and its longest label have at most so many, and no more than the model's context;
            ``None`` for the context alone.

    Attributes:
        identity: everything but the token ids that a score depends on.
        limit: the most tokens that a prompt and its longest label may have.

    Raises:
        InputError: see :func:`jointcore.decisions.checkpoints.locate` and
            :class:`jointcore.decisions.transformers.chat.ChatEncoder`.
    """

    def __init__(self, entry: ModelEntry, *, endpoint: str | None = None, max_tokens: int | None = MAX_TOKENS) -> None:
        self._entry = entry
        self._checkpoint = locate(entry, endpoint=endpoint)
        config = read_config(entry, self._checkpoint.folder)
        self._encoder = ChatEncoder(entry, self._checkpoint.folder, embedding_rows(config))
        positions = context_length(config)
        if positions is None:
            _log.warning("model %s: config.json gives no length limit; %d tokens are assumed", entry.key, MAX_TOKENS)
            positions = MAX_TOKENS
        self.limit = min(max_tokens or positions, positions)
        leanest = LAST_LAYER if entry.shares_prefixes else LOGITS
        self._weights = LoadedModel(entry, self._checkpoint.folder, self._encoder.padding, leanest)
        plain = PlainEngine(self._weights)
        self._engine = PrefixEngine(self._weights, self.limit) if entry.shares_prefixes else plain
        again = self._engine.nothing_kept if entry.shares_prefixes and not entry.runs_batches else None
        self._check = StartCheck(entry.key, plain.alone, again) if entry.mode != "deterministic" else None
        self.identity: dict[str, Any] = {
            "repository": self._checkpoint.repository,
            "revision": self._checkpoint.revision,
            "precision": entry.described_precision,
            "loader": entry.loader,
            "device": entry.device if entry.gpus else f"cpu, {entry.threads} threads",
            "mode": entry.mode,
            "max_tokens": self.limit,
            "scorer": VERSION,
            **template_identity(entry),
        }
        if entry.shares_prefixes:
            self.identity["scorer"] += f"; {PREFIX_VERSION}"
        if again is not None:
            self.identity["block"] = BLOCK

    def encode(self, prompt: Prompt) -> ScoringRequest:
        """The tokens of a prompt and its labels.

        Raises:
            InputError: see :meth:`jointcore.decisions.transformers.chat.ChatEncoder.encode`.
        """
        return self._encoder.encode(prompt)

    def check(self, prompts: Iterable[Prompt]) -> None:
        """Check that prompts can be asked, without the weights.

        Raises:
            InputError: see :meth:`jointcore.decisions.transformers.chat.ChatEncoder.encode`.
        """
        self._encoder.check(prompts)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text.

        Raises:
            InputError: see :meth:`encode`.
        """
        return self._encoder.count_tokens(text)

    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        """A result for each request, in the order of the requests.

        A prompt that is too long with its longest label, and one whose logits are not finite, get an invalid
        result with its reason.

        Raises:
            InputError: the model cannot be loaded, memory runs out with one prompt at a time, or a decision
                could depend on the company of its prompt, see :class:`StartCheck`.
        """
        too_long = "prompt and label have {} tokens, more than {}"
        results: list[ScoringResult | None] = [
            ScoringResult(None, too_long.format(request.length, self.limit)) if request.length > self.limit else None
            for request in requests
        ]
        fitting = [number for number, result in enumerate(results) if result is None]
        if fitting:
            asked = [requests[number] for number in fitting]
            scored = self._engine.answers(asked)
            if self._check is not None:
                self._check.see(asked, scored)
            for number, result in zip(fitting, scored, strict=True):
                results[number] = result
        return results

    def facts(self) -> dict[str, Any]:
        """What the runtime record says about the model: devices, load time in seconds, peak memory in MB."""
        weights = self._weights
        gpus = range(self._entry.gpus if weights.is_loaded else 0)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return {
            **self.identity,
            "devices": [torch.cuda.get_device_name(gpu) for gpu in gpus] or [self._entry.device],
            "batch_size": weights.batch_size,
            "load_seconds": weights.load_seconds,
            "peak_memory_mb": round(peak / (1024 if sys.platform != "darwin" else 1024**2)),
            "start_check": self._check and self._check.facts,
            "way": weights.way,
            "peak_gpu_memory_mb": [round(torch.cuda.max_memory_allocated(gpu) / 1e6) for gpu in gpus],
            **self._engine.facts(),
        }
