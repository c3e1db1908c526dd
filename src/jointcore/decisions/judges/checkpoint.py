"""A language model on this machine as judge: wording, scorer and store put together."""

from __future__ import annotations

from collections.abc import Iterator

from jointcore.decisions.catalogue import judge
from jointcore.decisions.protocol import Judge


@judge(name="Transformers checkpoint")
def checkpoint(entry, store) -> Iterator[Judge]:
    """The weights are loaded at the first new question; every answer is kept in the store.

    How many questions are scored between two writes to the disk is enough for the modes that batch to find prompts
    of similar length.

    Raises:
        InputError: see :meth:`PromptTemplate.load`, :class:`TransformersScorer` and :class:`DecisionStore`.
    """
    # Here, since a workflow reads the catalogue where no model library is.
    from jointcore.decisions.language_model import CHUNK, LanguageModelJudge
    from jointcore.decisions.prompts.samples import sample_prompts
    from jointcore.decisions.prompts.template import PromptTemplate
    from jointcore.decisions.store.decision_store import DecisionStore
    from jointcore.decisions.transformers.scorer import TransformersScorer

    chunk = max(CHUNK, 8 * entry.batch_size) if entry.runs_batches else CHUNK
    template = PromptTemplate.load(entry.prompt_template)
    scorer = TransformersScorer(entry)
    scorer.check(sample_prompts(template))
    with DecisionStore(store, scorer.identity) as decisions:
        yield LanguageModelJudge(template, scorer, decisions, chunk)
