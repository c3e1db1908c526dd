"""Makes the tiny checkpoint that reads text memories of a made-up world (a local demonstration)."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path

import torch
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaForCausalLM, PreTrainedTokenizerBase

from jointcore.decisions.prompts.text_template import TextPromptTemplate
from jointcore.hashing import stable_rng
from jointcore.local_models.card import model_card
from jointcore.local_models.checkpoint import save_checkpoint
from jointcore.local_models.grammar import Example
from jointcore.local_models.plan import Plan
from jointcore.local_models.text_grammar import draw_text_example, text_vocabulary
from jointcore.local_models.tokenizer import word_tokenizer
from jointcore.local_models.training import encode, fit, last_logits, reproducible

LICENCE = "MIT"
LEARNING_RATE = 6e-3
#: Until which share of the steps memories have at most how many records, and how many of those mention what no
#: vehicle needs: easy questions first.
CURRICULUM = ((0.25, 4, 0.0), (0.35, 8, 0.0), (0.5, 8, 0.25), (1.0, 16, 0.5))
HELD_OUT = 400
_ABOUT = """
A tiny Llama with a word-level tokenizer, trained on made-up text memories about vehicles that leave a yard when their
papers are in. It reads no other text: a word that it was not trained on is an error.
"""

_log = logging.getLogger(__name__)


def make_text_checkpoint(folder: str | Path, name: str, plan: Plan, template: TextPromptTemplate) -> None:
    """Train the model and save it with all that Transformers needs, whole or not at all.

    The same arguments give the same bytes on one machine with the same versions.

    Args:
        folder: folder to write.
        name: name of the checkpoint.
        plan: what is trained.
        template: wording of the prompts.
    """
    tokenizer = word_tokenizer(text_vocabulary(template), Whitespace())

    def draw(step: int) -> list[Example]:
        rng = stable_rng("text-questions", plan.seed, step)
        _, size, strange = next(part for part in CURRICULUM if step < part[0] * plan.steps)
        return [draw_text_example(rng, size, strange) for _ in range(plan.batch)]

    model = fit(plan, template, tokenizer, draw, LEARNING_RATE)
    with reproducible(plan.threads):
        accuracy = text_accuracy(model, template, tokenizer)
    _log.info("held-out accuracy %.3f", accuracy)
    facts = {
        "model": name,
        "licence": LICENCE,
        "role": "local",
        **asdict(plan),
        "parameters": model.num_parameters(),
        "template_digest": template.digest,
        "held_out_accuracy": accuracy,
    }
    save_checkpoint(folder, model, tokenizer, model_card(name, LICENCE, _ABOUT, facts), facts)


def text_accuracy(model: LlamaForCausalLM, template: TextPromptTemplate, tokenizer: PreTrainedTokenizerBase) -> float:
    """Share of fresh questions that the model answers right, half of them satisfied."""
    rng = stable_rng("text-held-out")
    examples = [draw_text_example(rng, CURRICULUM[-1][1]) for _ in range(HELD_OUT)]
    tokens, lengths, labels = encode(examples, template, tokenizer)
    offered = torch.tensor([tokenizer.convert_tokens_to_ids(list(query.question.actions)) for query, _ in examples])
    with torch.inference_mode():
        logits = last_logits(model, tokens, lengths)
    taken = offered.gather(1, logits.gather(1, offered).argmax(1, keepdim=True)).squeeze(1)
    return (taken == labels).double().mean().item()
