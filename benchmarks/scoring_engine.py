"""The scoring engine against the study's way and lm-evaluation-harness: twelve tasks, eight methods.

    python benchmarks/scoring_engine.py --model FOLDER      a checkpoint with checkpoint.json
    python benchmarks/scoring_engine.py --shape NAME --tokenizer FOLDER [--gpu] [--nf4]
                                                            random weights of a shape

The harness takes part if it can be imported (pip install lm_eval, in an environment for this benchmark only). All
ways share one machine and one process, take turns on a few tasks each, and answer the identical token ids. The prefix
modes answer every question of the stage; the slow ways, whose prompts all cost the same whatever came before, an
evenly spaced part of them (--every). Loading and the check at start, once a run each, are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

import torch
from scoring_shapes import SHAPES
from scoring_ways import (
    Recorded,
    StudysWay,
    agreement,
    common_options,
    entry_of,
    harness_of,
    random_checkpoint,
    sizes_of,
)
from transformers import AutoTokenizer

from jointcore.decisions.language_model import LanguageModelJudge
from jointcore.decisions.models.entry import IN_FLIGHT
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.store.decision_store import DecisionStore
from jointcore.decisions.transformers.lean_forward import leanest_way
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_stage import Numbered, run_primary
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import DOMAINS, Cell
from jointcore.tasks.task import Task

SEED = 26082901
SETTINGS = {"budget": 4, "cap": 64, "empty_set_fails": False}


def twelve_tasks(count: int) -> list[Task]:
    """Tasks of the model grid over all families, domains and both support sizes."""
    families = list(FAMILIES)
    cells = [
        Cell(DOMAINS[i % 6], families[i % 9], 16, (2, 4)[i // 6 % 2], (1, 4, 8, 16)[i % 4], i % 4) for i in range(count)
    ]
    return [generate_task(cell, SEED) for cell in cells]


def report(ways: dict[str, Recorded], slow: dict[str, Recorded], title: str) -> None:
    """Pace, tokens and agreement so far."""
    first, study = next(iter(ways.values())), next(iter(slow.values()))
    lengths = sum(len(request.token_ids) for request in first.answers) / len(first.answers)
    print(f"\n{title}: {len(first.answers)} questions of {lengths:.0f} tokens")
    print("\n| way | questions | s/question | CPU s/question | pace | pace by CPU time | tokens run/prompt's |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, way in {**slow, **ways}.items():
        work = getattr(way.scorer, "work", None)
        share = f"{work.run_tokens / work.prompt_tokens:.3f}" if work else "2" if way.scorer.encode is None else "1"
        each, cpu = way.seconds / len(way.answers), way.cpu_seconds / len(way.answers)
        paces = study.seconds / len(study.answers) / each, study.cpu_seconds / len(study.answers) / cpu
        print(f"| {name} | {len(way.answers)} | {each:.3f} | {cpu:.3f} | {paces[0]:.2f} | {paces[1]:.2f} | {share} |")
    for mode, way in ways.items():
        print(f"{mode}: {json.dumps(way.scorer.facts(), default=str)}")
        for name, other in {**slow, **ways}.items():
            if other is not way:
                print(f"  against {name}: {agreement(way.answers, other.answers)}", flush=True)


def share(loaded: TransformersScorer, other: TransformersScorer) -> None:
    """Let two scorers have one copy of the weights."""
    other._weights._model = loaded._weights.model
    if other is not loaded:
        other._weights.way = leanest_way(loaded._weights.model, other._weights._leanest)


def run_stage(folder: Path, options: argparse.Namespace) -> None:
    """All eight methods on the tasks with both prefix modes; the slow ways on a part of the same questions."""
    template, methods = PromptTemplate.load(options.template), choose_methods("study")
    tasks = [Numbered(i, task) for i, task in enumerate(twelve_tasks(options.tasks))]
    ways = {mode: Recorded(TransformersScorer(entry_of(folder, options, mode))) for mode in options.modes}
    first = next(iter(ways.values()))
    model = first.scorer._weights.model
    for way in ways.values():
        share(first.scorer, way.scorer)
        way.scorer._engine._prepare()
        way.scorer._check = None  # once a run, eight prompts: not part of the pace
    padding, tokenizer = first.scorer._encoder.padding, AutoTokenizer.from_pretrained(folder)
    slow = {
        "two rows, log-probabilities everywhere": Recorded(StudysWay(model, padding)),
        "two rows, logits everywhere": Recorded(StudysWay(model, padding, lean=True)),
    }
    if (harness := harness_of(model, tokenizer, options.harness_batch)) is not None:
        slow[f"lm-evaluation-harness, batches of {options.harness_batch}"] = Recorded(harness)
    alone = TransformersScorer(entry_of(folder, options, "deterministic"))
    share(first.scorer, alone)
    slow["deterministic, last positions, one prompt"] = Recorded(alone)
    done = 0
    with tempfile.TemporaryDirectory() as store:
        stores = {mode: DecisionStore(Path(store) / mode, way.identity) for mode, way in ways.items()}
        deciders = {
            mode: DecisionMemo(LanguageModelJudge(template, way, stores[mode], 8 * options.batch))
            for mode, way in ways.items()
        }
        for start in range(0, len(tasks), options.in_flight):
            for decider in deciders.values():
                run_primary(decider, tasks[start : start + options.in_flight], methods, SETTINGS)
            asked = list(first.answers)[done :: options.every]
            done = len(first.answers)
            for way in slow.values():
                way.score(asked)
            report(ways, slow, f"{min(start + options.in_flight, len(tasks))} tasks, eight methods")
    if options.gpu:
        shape = SHAPES[options.shape]
        pace = first.scorer._engine.work.run_tokens * 2 * shape.layer_weights / first.seconds
        print(f"{shape.name}: {pace / 1e12:.0f} TFLOP/s, {pace / options.peak:.2f} of the peak")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="folder of a checkpoint with checkpoint.json")
    parser.add_argument("--shape", choices=SHAPES, help="random weights of this shape")
    parser.add_argument("--tokenizer", type=Path, help="folder whose tokenizer and chat template random weights take")
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT, help="tasks in lockstep")
    parser.add_argument("--every", type=int, default=16, help="the slow ways answer every so-manieth question")
    parser.add_argument("--harness-batch", type=int, default=8)
    parser.add_argument("--peak", type=float, default=312e12, help="the chip's peak, FLOP/s")
    common_options(parser)
    options = parser.parse_args()
    if (options.model is None) == (options.shape is None) or (options.shape and options.tokenizer is None):
        parser.error("give --model, or --shape and --tokenizer")
    os.environ["HF_HUB_OFFLINE"] = "1"
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as place:
        folder = options.model
        if folder is None:
            folder = Path(place) / "model"
            dtype, device = (torch.bfloat16, "cuda") if options.gpu else (torch.float32, "cpu")
            random_checkpoint(folder, sizes_of(SHAPES[options.shape]), options.tokenizer, dtype, device)
        run_stage(folder, options)


if __name__ == "__main__":
    main()
