"""Ways to score the same token ids, for the benchmarks of the scoring engine."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from scoring_shapes import Shape
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.scoring import ScoringRequest, ScoringResult, best, margin
from jointcore.local_models.checkpoint import save_checkpoint

PROMPTS = Path(__file__).parents[1] / "config" / "prompts" / "default.yaml"


def common_options(parser: argparse.ArgumentParser) -> None:
    """What every way of running a model needs to know."""
    parser.add_argument("--template", type=Path, default=PROMPTS, help="prompt template")
    parser.add_argument("--gpu", action="store_true", help="on a GPU, in bfloat16")
    parser.add_argument("--nf4", action="store_true", help="quantized at load time")
    parser.add_argument("--batch", type=int, default=32, help="rows of a batch at most")
    parser.add_argument("--threads", type=int, default=2, help="CPU threads")
    parser.add_argument("--cache-mb", type=int, default=4000, help="memory for keys and values, on a CPU")
    parser.add_argument("--modes", nargs="+", default=["prefix", "prefix_deterministic"])


def entry_of(folder: Path, options: argparse.Namespace, mode: str) -> ModelEntry:
    return ModelEntry(
        key="benchmark",
        name="benchmark",
        role="local",
        licence="",
        precision="nf4" if options.nf4 else "bfloat16" if options.gpu else "float32",
        loader="causal_lm",
        prompt_template=str(options.template),
        gpus=int(options.gpu),
        gpu_memory_gb=30 if options.gpu else None,
        mem_mb=6000,
        runtime_minutes=60,
        shards=1,
        path=str(folder),
        digest_manifest="checkpoint.json",
        mode=mode,
        batch_size=options.batch,
        cache_mb=None if options.gpu else options.cache_mb,
        threads=options.threads,
    )


class Recorded:
    """A scorer that keeps what it was asked and how long it took; its answers go into no lasting store."""

    def __init__(self, scorer) -> None:
        self.scorer, self.identity = scorer, {**scorer.identity, "benchmark": True}
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.answers: dict[ScoringRequest, ScoringResult] = {}
        self.encode = scorer.encode

    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        start, cpu = time.perf_counter(), time.process_time()
        results = self.scorer.score(requests)
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        self.seconds += time.perf_counter() - start
        self.cpu_seconds += time.process_time() - cpu
        self.answers.update(zip(requests, results, strict=True))
        return results


class StudysWay:
    """Two rows, one a label, one prompt at a time, logits at every position.

    Log-probabilities of every position, as evaluation code is usually written, or (``lean``) of the labels' only.
    """

    def __init__(self, model, padding: int, lean: bool = False) -> None:
        self.model, self.padding, self.identity, self.encode = model, padding, {}, None
        self.lean = lean

    @torch.inference_mode()
    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        return [self._one(request) for request in requests]

    def _one(self, request: ScoringRequest) -> ScoringResult:
        rows = [request.token_ids + label for label in request.label_ids]
        longest = max(map(len, rows))
        filled = [row + (self.padding,) * (longest - len(row)) for row in rows]
        mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
        device = self.model.get_input_embeddings().weight.device
        logits = self.model(
            input_ids=torch.tensor(filled, device=device),
            attention_mask=torch.tensor(mask, device=device),
            use_cache=False,
        ).logits
        first, scores = len(request.token_ids) - 1, []
        everywhere = None if self.lean else logits.float().log_softmax(-1)
        for row, label in enumerate(request.label_ids):
            needed = slice(first, first + len(label))
            found = logits[row, needed].float().log_softmax(-1) if self.lean else everywhere[row, needed]
            scores.append(sum(found[range(len(label)), list(label)].tolist()) / len(label))
        return ScoringResult(tuple(scores))


class Harness:
    """lm-evaluation-harness's Hugging Face backend on the same token ids."""

    def __init__(self, model, tokenizer, batch: int) -> None:
        from lm_eval.models.huggingface import HFLM

        self.identity, self.encode = {}, None
        device = str(model.get_input_embeddings().weight.device)
        self.backend = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=batch, device=device)

    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        asked = [
            ((f"{number}", f"{label}"), list(request.token_ids), list(label))
            for number, request in enumerate(requests)
            for label in request.label_ids
        ]
        sums = iter(self.backend._loglikelihood_tokens(asked, disable_tqdm=True))
        return [ScoringResult(tuple(next(sums)[0] / len(label) for label in request.label_ids)) for request in requests]


def harness_of(model, tokenizer, batch: int) -> Harness | None:
    try:
        return Harness(model, tokenizer, batch)
    except ImportError as error:
        print(f"lm-evaluation-harness takes no part: {error}")
        return None


def agreement(one: dict, other: dict) -> str:
    """How the answers agree on the prompts that both answered."""
    both = [key for key in other if key in one]
    largest = max(abs(a - b) for key in both for a, b in zip(one[key].scores, other[key].scores, strict=True))
    changed = sum(best(one[key].scores) != best(other[key].scores) for key in both)
    smallest = min(margin(one[key].scores) for key in both)
    return (
        f"{len(both)} questions, largest difference {largest:.1e}, {changed} decisions changed, "
        f"smallest margin {smallest:.1e}"
    )


def random_checkpoint(folder: Path, sizes: dict, tokenizer_folder: Path, dtype: torch.dtype, device: str) -> None:
    """Random weights beside a real tokenizer."""
    tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder)
    torch.manual_seed(0)
    with torch.device(device):
        model = LlamaForCausalLM._from_config(LlamaConfig(**sizes), dtype=dtype)
    save_checkpoint(folder, model, tokenizer, "Random weights.", {"role": "local"})


def sizes_of(shape: Shape) -> dict:
    return {
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_size,
        "max_position_embeddings": 4096,
    }
