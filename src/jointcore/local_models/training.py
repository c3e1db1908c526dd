"""Trains a tiny Llama on the benchmark's grammar, by step counts (a local demonstration).

The same plan gives the same weights, byte for byte, on one machine with one version of torch: every draw is
seeded, and the number of threads, on which float sums depend, is part of the plan. A training that was
killed starts again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import torch
from torch.nn.functional import cross_entropy
from torch.optim.lr_scheduler import LambdaLR
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerBase

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.prompts.text_template import TextPromptTemplate
from jointcore.hashing import stable_rng, stable_seed
from jointcore.local_models.grammar import Example, Mixture, draw_example
from jointcore.local_models.plan import Plan
from jointcore.progress import progress
from jointcore.tasks.grid import Grid


class Part(NamedTuple):
    """A part of the curriculum: until which share of the steps, with how many records, with which rules."""

    until: float
    records: int
    one_record: bool = False


#: Families with a rule that one record satisfies.
ONE_RECORD = ("single_variable", "redundant_or")
#: Easy questions come first: until the given share of the steps is done, tasks have at most that many records
#: and, in the first part, rules that one record satisfies. All label styles and the terminal step are learnt there.
CURRICULUM = (Part(0.2, 4, one_record=True), Part(0.5, 4), Part(0.65, 8))
#: In that first part all label styles are as likely, and the terminal step is asked often.
FORMS = Mixture(label_styles={"boolean": 1, "direct": 1, "ab": 2}, terminal=0.3)
#: Longest prompt, in tokens.
CONTEXT = 1024
#: The highest learning rate is reached after this many steps and falls to 0 over the last share of them.
LEARNING_RATE = 3e-3
WARM_UP = 100
DECAY = 0.8

_log = logging.getLogger(__name__)


def train(
    plan: Plan,
    template: PromptTemplate,
    tokenizer: PreTrainedTokenizerBase,
    grid: Grid,
    mixture: Mixture | None = None,
) -> LlamaForCausalLM:
    """Train a model on questions that are drawn as it goes; only the answer's token counts in the loss.

    Args:
        plan: what is trained.
        template: wording of the questions.
        tokenizer: knows every word of the template, each label as one token.
        grid: cell values of the tasks; its seeds are not used.
        mixture: how often each kind of question is drawn.
    """
    mixture = mixture or Mixture()

    def draw(step: int) -> list[Example]:
        rng = stable_rng("cohort-questions", plan.seed, step)
        part = grid_at(step, plan.steps, grid)
        kinds = FORMS if part.families != grid.families else mixture
        return [draw_example(rng, part, kinds) for _ in range(plan.batch)]

    return fit(plan, template, tokenizer, draw)


def fit(
    plan: Plan,
    template: PromptTemplate | TextPromptTemplate,
    tokenizer: PreTrainedTokenizerBase,
    draw: Callable[[int], Sequence[Example]],
    learning_rate: float = LEARNING_RATE,
) -> LlamaForCausalLM:
    """Train a model on the questions of each step; only the answer's token counts in the loss.

    Args:
        plan: what is trained.
        template: wording of the questions.
        tokenizer: knows every word of the template, each label as one token.
        draw: the questions of a step.
        learning_rate: the highest one.
    """
    with reproducible(plan.threads):
        torch.manual_seed(stable_seed("cohort-weights", plan.seed) % 2**63)
        model = _new_model(plan, tokenizer).train()
        optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.98))
        schedule = LambdaLR(optimizer, lambda step: rate(step, plan.steps))
        recent = 0.0
        for step in progress(range(plan.steps), plan.steps, "training steps"):
            tokens, lengths, labels = encode(draw(step), template, tokenizer)
            loss = cross_entropy(last_logits(model, tokens, lengths), labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            recent += 0.05 * (loss.item() - recent)
            if step % 100 == 99:
                _log.info("step %d: loss %.4f", step + 1, recent)
        return model.eval()


def rate(step: int, steps: int) -> float:
    """Share of the highest learning rate at a step: up, level, and down to 0 at the end."""
    return min(1.0, (step + 1) / WARM_UP, (steps - step) / max(1.0, DECAY * steps))


def grid_at(step: int, steps: int, grid: Grid) -> Grid:
    """The grid that a step's tasks are drawn from: easy parts of the given one first, then all of it."""
    for part in CURRICULUM:
        if step < part.until * steps:
            easy = [family for family in grid.families if family in ONE_RECORD] if part.one_record else []
            return replace(
                grid,
                families=tuple(easy or grid.families),
                candidate_counts=(min(part.records, max(grid.candidate_counts)),),
            )
    return grid


def encode(
    examples: Sequence[Example], template: PromptTemplate | TextPromptTemplate, tokenizer: PreTrainedTokenizerBase
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Token ids of the prompts, padded on the right, their lengths, and the token of each right answer."""
    rows, labels = [], []
    for query, action in examples:
        prompt = template.render(query)
        rows.append(tokenizer.apply_chat_template(list(prompt.messages), add_generation_prompt=True, return_dict=False))
        label = prompt.labels[prompt.actions.index(action)]
        labels += tokenizer.encode(label, add_special_tokens=False)
    lengths = torch.tensor([len(row) for row in rows])
    tokens = torch.full((len(rows), int(lengths.max())), tokenizer.pad_token_id)
    for i, row in enumerate(rows):
        tokens[i, : len(row)] = torch.tensor(row)
    return tokens, lengths, torch.tensor(labels)


def last_logits(model: LlamaForCausalLM, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Logits after the last token of each row; what stands to its right is never attended to."""
    states = model.model(input_ids=tokens, use_cache=False).last_hidden_state
    return model.lm_head(states[torch.arange(len(tokens)), lengths - 1])


def _new_model(plan: Plan, tokenizer: PreTrainedTokenizerBase) -> LlamaForCausalLM:
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=plan.hidden,
            intermediate_size=2 * plan.hidden,
            num_hidden_layers=plan.layers,
            num_attention_heads=plan.heads,
            max_position_embeddings=CONTEXT,
            initializer_range=0.05,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


@contextmanager
def reproducible(threads: int) -> Iterator[None]:
    """Run with fixed threads and deterministic kernels, and restore what was set before."""
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    state = torch.get_rng_state()
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        torch.set_rng_state(state)
