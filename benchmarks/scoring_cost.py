"""What the model stage costs on a GPU, by arithmetic: tokens, FLOPs, hours (docs/cost_model.md).

A run of T tokens takes the longer of its arithmetic and its reading of the weights:

    seconds = max(T × FLOPs a token / (peak × utilization), weights × bytes a weight / bandwidth)

A token needs 2 FLOPs a weight of the layers, and 4 × layers × heads × head size × context in attention; the
head over the vocabulary is counted at the positions whose logits are computed.

    python benchmarks/scoring_cost.py --tokenizer FOLDER

counts the questions and tokens of the stage with the rule as judge, runs no model, and fills in the formula.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from scoring_shapes import SHAPES, Shape
from scoring_ways import common_options, entry_of, random_checkpoint

from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.models.entry import IN_FLIGHT
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.decisions.transformers.prefix_engine import BLOCK, SLACK
from jointcore.decisions.transformers.prefix_tree import PrefixTree, next_round
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_stage import Numbered, run_primary
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SEED = 26082901
SETTINGS = {"budget": 4, "cap": 64, "empty_set_fails": False}


class Chip(NamedTuple):
    """A GPU: dense bfloat16 FLOP/s, bytes/s, and the share of the peak that large matrices reach."""

    name: str
    peak: float
    bandwidth: float
    utilization: float = 0.5


A100 = Chip("A100 40 GB", 312e12, 1.555e12)


class Plan(NamedTuple):
    """How a mode runs one question: tokens, positions with logits, and tokens in one run of the model."""

    mode: str
    tokens: float
    logits: float
    tokens_a_run: float


def plans(length: float, shares: dict[str, float], block: int, in_flight: float) -> list[Plan]:
    """The modes' plans for prompts of a length.

    Args:
        length: tokens of a prompt.
        shares: tokens run as a share of the prompt's, of ``prefix`` and ``prefix_deterministic``.
        block: the deterministic mode's block.
        in_flight: questions that are open at once.
    """
    prefix, blocks = shares["prefix"] * length, shares["prefix_deterministic"] * length
    return [
        Plan("study: a row for each label", 2 * length, 2 * length, 2 * length),
        Plan("deterministic", length, 2, length),
        Plan("prefix_deterministic", blocks, 2, min(block, blocks)),
        Plan("prefix", prefix, 2, prefix * in_flight),
    ]


def flops(shape: Shape, plan: Plan, length: float) -> float:
    """FLOPs of one question. New tokens stand at the prompt's end, so that they see most of it."""
    context = length - min(plan.tokens, length) / 2
    return plan.tokens * shape.token_flops(context) + plan.logits * shape.head_flops


def seconds(shape: Shape, plan: Plan, length: float, chip: Chip) -> float:
    """Seconds of one question on a chip."""
    runs = plan.tokens / plan.tokens_a_run
    reading = runs * shape.layer_weights * shape.moved / chip.bandwidth
    return max(flops(shape, plan, length) / (chip.peak * chip.utilization), reading)


def table(questions: int, length: float, shares: dict[str, float], block: int, in_flight: float) -> str:
    """The cost of the whole stage for every registered model, Markdown."""
    lines = [
        f"{questions:,} questions of {length:.0f} tokens on one {A100.name}, {A100.peak / 1e12:.0f} TFLOP/s × "
        f"{A100.utilization:g}, {A100.bandwidth / 1e12:g} TB/s:",
        "",
        "| model | mode | tokens, millions | PFLOP | s/question | hours |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for key, shape in SHAPES.items():
        if key == "smollm2_135m":
            continue
        for plan in plans(length, shares, block, in_flight):
            each = seconds(shape, plan, length, A100)
            lines.append(
                f"| {shape.name} | {plan.mode} | {questions * plan.tokens / 1e6:.2f} "
                f"| {questions * flops(shape, plan, length) / 1e15:.0f} | {each:.3f} | {questions * each / 3600:.2f} |"
            )
    return "\n".join(lines)


class Counting:
    """Answers by the rule and counts the tokens that the prefix modes would run, at no cost."""

    def __init__(self, scorer: TransformersScorer, template: PromptTemplate, tokens: int) -> None:
        self.scorer, self.template, self.rule = scorer, template, LogicalRule()
        self.tree, self.blocks = PrefixTree(tokens), PrefixTree(tokens // BLOCK)
        self.seen: set[tuple[int, ...]] = set()
        self.questions = self.prompt_tokens = self.run = self.in_blocks = 0

    def decide(self, queries: Sequence[Query]) -> list:
        asked = {self.scorer.encode(self.template.render(query)).token_ids for query in queries}
        rows = sorted(asked - self.seen)
        self.seen |= asked
        self.questions += len(rows)
        self.prompt_tokens += sum(map(len, rows))
        for row in rows:
            whole = (len(row) - 1) // BLOCK
            blocks = tuple(row[i * BLOCK : (i + 1) * BLOCK] for i in range(whole))
            start = len(self.blocks.find(blocks))
            self.in_blocks += len(row) - start * BLOCK
            for number in range(start, whole):
                self.blocks.add(blocks[: number + 1], number, None, 1)
        while rows:
            known = [self.tree.known(row, len(row) - 1) for row in rows]
            chosen = next_round(rows, known, SLACK)
            for i in chosen:
                self.run += len(rows[i]) - known[i]
                self.tree.find(rows[i])
                have = self.tree.known(rows[i])
                self.tree.add(rows[i], have, None, len(rows[i]) - have)
            rows = [row for i, row in enumerate(rows) if i not in set(chosen)]
        return self.rule.decide(queries)


def run_cost(options: argparse.Namespace) -> None:
    """Questions and tokens of the stage with a judge that follows the rule, and the cost model."""
    template, methods = PromptTemplate.load(options.template), choose_methods("study")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "model"
        tiny = {"vocab_size": 49152, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
        random_checkpoint(folder, {**tiny, "num_attention_heads": 1}, options.tokenizer, torch.float32, "cpu")
        scorer = TransformersScorer(entry_of(folder, options, "deterministic"))
        every = list(generate_tasks(Grid(candidate_counts=(16,), seed_base=SEED, nesting="model")))
        tasks = [Numbered(i, task) for i, task in enumerate(every)][:: options.stride]
        for flight, memory in ((1, 10_000), (4, 30_000), (IN_FLIGHT, 30_000), (IN_FLIGHT, 100_000)):
            counting = Counting(scorer, template, memory)
            memo = DecisionMemo(counting)
            for start in range(0, len(tasks), flight):
                run_primary(memo, tasks[start : start + flight], methods, SETTINGS)
            each = counting.questions / len(tasks)
            length = counting.prompt_tokens / counting.questions
            shares = {
                "prefix": counting.run / counting.prompt_tokens,
                "prefix_deterministic": counting.in_blocks / counting.prompt_tokens,
            }
            print(
                f"{len(tasks)} tasks, {flight} in flight, room for {memory:,} tokens: {each:.1f} questions a task, "
                f"{length:.0f} tokens a prompt, run {shares['prefix']:.3f}, "
                f"in blocks {shares['prefix_deterministic']:.3f}",
                flush=True,
            )
        print("\n" + table(24_000, length, shares, BLOCK, IN_FLIGHT))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, required=True, help="folder of a tokenizer with a chat template")
    parser.add_argument("--stride", type=int, default=8, help="count every so-manieth task")
    common_options(parser)
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    run_cost(options)


if __name__ == "__main__":
    main()
