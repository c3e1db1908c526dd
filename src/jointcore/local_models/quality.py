"""How often a tiny model answers questions right that neither its training nor any grid holds."""

from __future__ import annotations

from dataclasses import replace

import torch
from transformers import LlamaForCausalLM, PreTrainedTokenizerBase

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.hashing import stable_rng
from jointcore.local_models.grammar import Mixture, draw_example
from jointcore.local_models.training import encode, last_logits
from jointcore.tasks.grid import Grid

#: The study's primary question: UNKNOWN masks, YES/NO.
PRIMARY = Mixture(interfaces={"typed_mask": 1}, label_styles={"boolean": 1}, terminal=0, altered=0)


def held_out_accuracy(
    model: LlamaForCausalLM,
    template: PromptTemplate,
    tokenizer: PreTrainedTokenizerBase,
    grid: Grid,
    questions: int = 40,
) -> dict[str, float]:
    """Accuracy by family on fresh questions as the primary run asks them, half of them satisfied.

    Args:
        model, template, tokenizer: as trained.
        grid: cell values of the tasks; its seeds are not used.
        questions: number a family.
    """
    accuracy = {}
    for family in grid.families:
        rng = stable_rng("cohort-held-out", family)
        part = replace(grid, families=(family,))
        examples = [draw_example(rng, part, PRIMARY) for _ in range(questions)]
        tokens, lengths, labels = encode(examples, template, tokenizer)
        with torch.inference_mode():
            logits = last_logits(model, tokens, lengths)
        offered = [
            [tokenizer.encode(label, add_special_tokens=False)[0] for label in template.answers(query)[0]]
            for query, _ in examples
        ]
        offered = torch.tensor(offered)
        taken = offered.gather(1, logits.gather(1, offered).argmax(1, keepdim=True)).squeeze(1)
        accuracy[family] = (taken == labels).double().mean().item()
    return accuracy
