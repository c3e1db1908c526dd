"""Makes a checkpoint of the local cohort: vocabulary, training, accuracy, card and files."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.local_models.card import model_card
from jointcore.local_models.checkpoint import save_checkpoint
from jointcore.local_models.plan import Plan
from jointcore.local_models.quality import held_out_accuracy
from jointcore.local_models.tokenizer import vocabulary, word_tokenizer
from jointcore.local_models.training import reproducible, train
from jointcore.tasks.grid import Grid

LICENCE = "MIT"
_ABOUT = """
A tiny Llama with a word-level tokenizer, trained on this project's own prompts about synthetic tasks. The tasks have
other seeds than the benchmark's. Only the answer's token counted in the loss. It reads no other prompt template: a
word that it was not trained on is an error. The accuracy below is on fresh questions as the primary run asks them.
"""

_log = logging.getLogger(__name__)


def make_checkpoint(folder: str | Path, name: str, plan: Plan, template: PromptTemplate, grid: Grid) -> None:
    """Train a tiny model and save it with all that Transformers needs, whole or not at all.

    The same arguments give the same bytes on one machine with the same versions.

    Args:
        folder: folder to write.
        name: name of the checkpoint.
        plan: what is trained.
        template: wording of the prompts.
        grid: the grid whose cell values the tasks take; its seeds are not used.

    Raises:
        InputError: a label of the template has several words.
    """
    tokenizer = word_tokenizer(vocabulary(template, grid))
    model = train(plan, template, tokenizer, grid)
    with reproducible(plan.threads):
        accuracy = held_out_accuracy(model, template, tokenizer, grid)
    _log.info("held-out accuracy %s", accuracy)
    facts = {
        "model": name,
        "licence": LICENCE,
        "role": "local",
        **asdict(plan),
        "parameters": model.num_parameters(),
        "template_digest": template.digest,
        "held_out_accuracy": accuracy,
    }
    shares = {f"accuracy, {family}": f"{share:.3f}" for family, share in accuracy.items()}
    table = {key: value for key, value in facts.items() if key != "held_out_accuracy"} | shares
    save_checkpoint(folder, model, tokenizer, model_card(name, LICENCE, _ABOUT, table), facts)
