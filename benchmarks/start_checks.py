"""What the checks at the start cost beside loading a model: those without weights, and those on the loaded model.

python benchmarks/start_checks.py --model FOLDER   a checkpoint with checkpoint.json
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from scoring_ways import common_options, entry_of

from jointcore.decisions.checkpoints.locate import locate
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.transformers.architecture import check_architecture
from jointcore.decisions.transformers.lean_forward import LAST_LAYER, leanest_way
from jointcore.decisions.transformers.loading import load_model
from jointcore.decisions.transformers.prefix_cache import find_layout
from jointcore.decisions.transformers.scorer import check_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="folder of a checkpoint with checkpoint.json")
    common_options(parser)
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    torch.set_num_threads(options.threads)
    entry = entry_of(options.model, options, "prefix")
    template = PromptTemplate.load(options.template)
    model = timed("loading the weights", lambda: load_model(entry, locate(entry).folder))
    timed("tokenizer, chat template, every style and step", lambda: check_model(entry, template))
    timed("does it run, and from left to right", lambda: check_architecture(entry, model))
    timed("the leanest way that gives the plain scores", lambda: leanest_way(model, LAST_LAYER))
    timed("keys and values of a prefix", lambda: find_layout(model, "past_key_values"))


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Do some work and print its seconds by the clock and of CPU time."""
    clock, cpu = time.monotonic(), time.process_time()
    done = work()
    print(f"{what:50} {time.monotonic() - clock:7.2f} s {time.process_time() - cpu:7.2f} s of CPU", flush=True)
    return done


if __name__ == "__main__":
    main()
