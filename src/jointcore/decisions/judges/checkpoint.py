"""Opens a model entry as a decider: template, scorer and store put together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from jointcore.decisions.judges.language_model import CHUNK, LanguageModelDecider
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.store.decision_store import DecisionStore
from jointcore.decisions.transformers.prefix_engine import PrefixScorer
from jointcore.decisions.transformers.scorer import TransformersScorer


class OpenModel(NamedTuple):
    """A model that is ready to decide; its weights are loaded at the first new question."""

    decider: LanguageModelDecider
    scorer: TransformersScorer
    template: PromptTemplate


@contextmanager
def open_model(entry: ModelEntry, store: str | Path, chunk: int | None = None) -> Iterator[OpenModel]:
    """Open a model with its prompt template and its decision store.

    Args:
        entry: the model.
        store: folder of its decision store; several processes may share it.
        chunk: how many questions are scored between two writes to the disk; by default enough for the
            modes that batch to find prompts of similar length.

    Raises:
        InputError: see :meth:`PromptTemplate.load`, :class:`TransformersScorer` and :class:`DecisionStore`.
    """
    if chunk is None:
        chunk = max(CHUNK, 8 * entry.batch_size) if entry.runs_batches else CHUNK
    template = PromptTemplate.load(entry.prompt_template)
    scorer = (PrefixScorer if entry.shares_prefixes else TransformersScorer)(entry)
    with DecisionStore(store, scorer.identity) as decisions:
        yield OpenModel(LanguageModelDecider(template, scorer, decisions, chunk), scorer, template)
