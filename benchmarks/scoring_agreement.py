"""Scores and decisions of the prefix modes against the study's way, on many prompts.

python benchmarks/scoring_agreement.py --model FOLDER [--template FILE]   a checkpoint with checkpoint.json
python benchmarks/scoring_agreement.py --tokenizer FOLDER                 a small one of random weights
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from pathlib import Path

import torch
from scoring_shapes import SHAPES
from scoring_ways import StudysWay, agreement, common_options, entry_of, random_checkpoint, sizes_of

from jointcore.bitsets import full
from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.decisions.scoring import best
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.task import TERMINAL

SEED = 26082901


def many_queries(count: int) -> list[Query]:
    """Questions over the whole model grid, by task, in every interface, label style and step."""
    chosen = random.Random(1)
    tasks = list(generate_tasks(Grid(candidate_counts=(16,), seed_base=SEED, nesting="model")))
    queries: dict[tuple, Query] = {}
    for task in tasks[:: max(1, len(tasks) // (count // 40))]:
        for _ in range(80):
            action = chosen.choice([None] * 9 + [*TERMINAL])
            retained = chosen.choice([full(16) ^ 1 << chosen.randrange(16), chosen.getrandbits(16), full(16)])
            query = Query(
                task.question, retained, 0, chosen.choice(list(INTERFACES)), chosen.choice(list(LABEL_STYLES)), action
            )
            queries[task.question.id, query.retained, query.interface, query.label_style, action] = query
    return list(queries.values())


def small_sizes() -> dict:
    """A small decoder whose random weights decide both ways."""
    sizes = {**sizes_of(SHAPES["smollm2_135m"]), "hidden_size": 128, "intermediate_size": 384, "head_dim": 32}
    return sizes | {
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "initializer_range": 0.15,
    }


def agree(folder: Path, options: argparse.Namespace) -> None:
    template = PromptTemplate.load(options.template)
    plain = TransformersScorer(entry_of(folder, options, "deterministic"))
    encoded = [plain.encode(template.render(query)) for query in many_queries(options.prompts)]
    asked = list(dict.fromkeys(encoded))[: options.prompts]
    expected = dict(zip(asked, plain.score(asked), strict=True))
    print(f"{len(asked)} prompts; the first label is chosen {sum(not best(r.scores) for r in expected.values())} times")
    study = StudysWay(plain._weights.model, plain._encoder.padding)
    reference = dict(zip(asked, study.score(asked), strict=True))
    print("deterministic against two rows:", agreement(expected, reference))
    for mode in options.modes:
        scorer = TransformersScorer(entry_of(folder, options, mode))
        found = dict(zip(asked, scorer.score(asked), strict=True))
        print(f"{mode} against two rows:", agreement(found, reference))
        print(f"{mode}: {scorer.facts()['start_check']}, {scorer._engine.work}")
        if mode == "prefix_deterministic":
            again = TransformersScorer(entry_of(folder, options, mode))
            part = random.Random(2).sample(asked, min(300, len(asked)))
            same = sum(a == found[r] for r, a in zip(part, again.score(part), strict=True))
            print(f"{mode}: {same} of {len(part)} bitwise the same in other company and order")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="folder of a checkpoint with checkpoint.json")
    parser.add_argument("--tokenizer", type=Path, help="folder whose tokenizer and chat template random weights take")
    parser.add_argument("--prompts", type=int, default=2000)
    common_options(parser)
    options = parser.parse_args()
    if (options.model is None) == (options.tokenizer is None):
        parser.error("give --model or --tokenizer")
    os.environ["HF_HUB_OFFLINE"] = "1"
    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as place:
        folder = options.model
        if folder is None:
            folder = Path(place) / "model"
            random_checkpoint(folder, small_sizes(), options.tokenizer, torch.float32, "cpu")
        agree(folder, options)


if __name__ == "__main__":
    main()
