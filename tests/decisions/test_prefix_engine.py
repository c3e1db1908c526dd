from __future__ import annotations

import dataclasses
import json
import logging
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    Gemma4ForCausalLM,
    Gemma4TextConfig,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from decisions.questions import every_form, make_task
from decisions.short_memory import run_out_above
from decisions.tiny_checkpoint import save_image_text, save_llama, save_quantized, write_manifest
from jointcore.bitsets import full
from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.protocol import Query
from jointcore.decisions.scoring import ScoringRequest, best
from jointcore.decisions.transformers import prefix_engine
from jointcore.decisions.transformers.plain_engine import PlainEngine
from jointcore.decisions.transformers.prefix_engine import BLOCK, PrefixEngine
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.decisions.transformers.start_check import CHECKED
from jointcore.errors import InputError
from jointcore.tasks.families import FAMILIES

ALL = full(16)
MODES = ("prefix", "prefix_deterministic")


def near(task):
    """Full memory, every record left out, and some sets with few records."""
    sets = [ALL, *(ALL ^ 1 << i for i in range(16)), 0, 0x0F0F, 0x5A5A]
    return [Query(task.question, retained) for retained in sets]


@pytest.fixture(scope="module")
def requests(tiny, terse_template):
    scorer = TransformersScorer(tiny)
    chosen = random.Random(5)
    tasks = [make_task(family, 4) for family in FAMILIES][:4]
    queries = [q for task in tasks for q in near(task) + chosen.sample(every_form(task, (0, 0xFF, ALL)), 6)]
    return [scorer.encode(terse_template.render(query)) for query in queries]


def opened(entry, mode, **changes):
    return TransformersScorer(dataclasses.replace(entry, mode=mode, **changes))


def assert_near(found, expected, tolerance=1e-5):
    for one, other in zip(found, expected, strict=True):
        assert one.scores == pytest.approx(other.scores, abs=tolerance)
        assert best(one.scores) == best(other.scores)


@pytest.mark.parametrize("mode", MODES)
def test_scores_are_those_of_whole_prompts_and_most_tokens_are_not_run(tiny, requests, mode):
    scorer = opened(tiny, mode)
    results = scorer.score(requests)
    assert_near(results, TransformersScorer(tiny).score(requests))
    assert len({best(result.scores) for result in results}) == 2
    work = scorer._engine.work
    assert (work.prompts, work.prompt_tokens) == (len(requests), sum(len(r.token_ids) for r in requests))
    assert work.run_tokens < (0.6 if mode == "prefix" else 0.8) * work.prompt_tokens
    assert scorer.facts()["start_check"]["largest_score_difference"] < 1e-5


@pytest.mark.parametrize("mode", MODES)
def test_what_was_run_in_one_call_is_not_run_in_the_next(tiny, requests, mode):
    scorer = opened(tiny, mode)
    first = scorer.score(requests)
    before = scorer._engine.work.run_tokens
    assert_near(scorer.score(requests), first)
    # The last position of each prompt, or what follows its last whole block.
    most = 1 if mode == "prefix" else BLOCK
    labels = max(len(label) for r in requests for label in r.label_ids)
    assert scorer._engine.work.run_tokens - before <= (most + labels) * 2 * len(requests)


@pytest.mark.parametrize("threads", [1, 2])
def test_deterministic_scores_are_bitwise_independent_of_company_order_and_resume(tiny, requests, threads):
    entry = dataclasses.replace(tiny, mode="prefix_deterministic", threads=threads)
    try:
        whole = TransformersScorer(entry).score(requests)
        alone = [TransformersScorer(entry).score([request])[0] for request in requests[::5]]
        order = random.Random(3).sample(range(len(requests)), len(requests))
        one_by_one = TransformersScorer(entry)
        shuffled = [one_by_one.score([requests[i]])[0] for i in order]
        forgetful = TransformersScorer(dataclasses.replace(entry, cache_mb=0)).score(requests[::3])
        shards = [TransformersScorer(entry).score(requests[part::2]) for part in range(2)]
    finally:
        torch.set_num_threads(1)
    assert alone == whole[::5]
    assert [shuffled[order.index(i)] for i in range(len(requests))] == whole
    assert forgetful == whole[::3]
    assert [shards[i % 2][i // 2] for i in range(len(requests))] == whole


def test_deterministic_scores_are_those_of_another_process(tiny, requests):
    entry = dataclasses.replace(tiny, mode="prefix_deterministic")
    here = TransformersScorer(entry).score(requests[:30])
    program = (
        "import json, sys\n"
        "from jointcore.decisions.models.entry import ModelEntry\n"
        "from jointcore.decisions.transformers.scorer import TransformersScorer\n"
        "from jointcore.decisions.scoring import ScoringRequest\n"
        "entry, asked = json.load(sys.stdin)\n"
        "asked = [ScoringRequest(tuple(t), tuple(map(tuple, l))) for t, l in asked]\n"
        "print(json.dumps([r.scores for r in TransformersScorer(ModelEntry(**entry)).score(asked)]))\n"
    )
    given = json.dumps([dataclasses.asdict(entry), requests[29:9:-1]])
    source = Path(prefix_engine.__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True, cwd=source
    )
    assert [tuple(scores) for scores in json.loads(done.stdout)] == [r.scores for r in here[29:9:-1]]


def test_a_block_is_reused_whole_or_not_at_all(tiny):
    prompt = tuple(range(5, 5 + 2 * BLOCK + 3))
    labels = ((5,), (6,))
    other = (*prompt[: BLOCK + 7], 5, *prompt[BLOCK + 8 :])
    scorer = opened(tiny, "prefix_deterministic")
    scorer._engine._prepare()
    list(scorer._engine.answers([ScoringRequest(prompt, labels)]))
    assert scorer._engine.work.run_tokens == len(prompt)
    list(scorer._engine.answers([ScoringRequest(other, labels)]))
    assert scorer._engine.work.run_tokens == 2 * len(prompt) - BLOCK


@pytest.mark.parametrize("mode", MODES)
def test_labels_of_several_tokens_and_labels_that_begin_unlike(tiny, requests, mode):
    labels = (((5, 6), (7, 8, 9), (7, 8), (10,)), ((5,), (6,)), ((5, 6, 7), (5, 6, 8)))
    asked = [ScoringRequest(r.token_ids, labels[i % 3]) for i, r in enumerate(requests[:24])]
    assert_near(opened(tiny, mode).score(asked), TransformersScorer(tiny).score(asked))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kilobytes", [0, 40, 150])
def test_little_memory_costs_time_and_no_answers(tiny, requests, mode, kilobytes, monkeypatch):
    monkeypatch.setattr(PrefixEngine, "_memory", lambda self: kilobytes * 1000)
    scorer = opened(tiny, mode)
    assert_near(scorer.score(requests), TransformersScorer(tiny).score(requests))
    assert scorer._engine._tree.size <= kilobytes * 1000
    roomy = opened(tiny, mode)
    roomy._engine._prepare()
    roomy._engine._tree.limit = 10**9
    roomy.score(requests)
    # Sorted rows need no more than one path at a time, so that one prompt's room is enough within a call.
    assert scorer._engine.work.run_tokens >= roomy._engine.work.run_tokens
    assert kilobytes or scorer._engine.work.run_tokens > 1.3 * roomy._engine.work.run_tokens


def test_the_memory_for_keys_and_values(tiny):
    for changes, expected in (({}, 250), ({"cache_mb": 7}, 7)):
        scorer = opened(tiny, "prefix", **changes)
        scorer._engine._prepare()
        assert scorer.facts()["cache_mb"] == expected


def test_a_batch_that_does_not_fit_is_halved_and_nothing_is_lost(tiny, requests, caplog):
    scorer = opened(tiny, "prefix", batch_size=32)
    seen = run_out_above(scorer, 3)
    with caplog.at_level(logging.WARNING):
        results = scorer.score(requests)
    assert max(seen) > 3
    assert scorer._weights.batch_size <= 3
    assert_near(results, TransformersScorer(tiny).score(requests))
    assert "ran out of memory; going on with batches of" in caplog.text


@pytest.mark.parametrize("mode", MODES)
def test_running_out_with_one_row_says_what_would_do(tiny, requests, mode):
    scorer = opened(tiny, mode)
    run_out_above(scorer, 0)
    with pytest.raises(InputError, match=r"model tiny ran out of memory on one prompt of \d+ tokens; use a machine"):
        scorer.score(requests)


@pytest.mark.parametrize("mode", MODES)
def test_a_prompt_above_the_limit_is_invalid_and_its_neighbours_are_scored(tiny, requests, mode):
    prompt, labels = requests[0]
    long = ScoringRequest((prompt * 20)[: 769 - max(map(len, labels))], labels)
    scorer = opened(tiny, mode)
    results = scorer.score([requests[1], long, requests[0]])
    assert results[1] == (None, "prompt and label have 769 tokens, more than 768")
    assert_near(results[::2], TransformersScorer(tiny).score([requests[1], requests[0]]))


@pytest.mark.parametrize("mode", MODES)
def test_the_check_at_start_looks_at_few_prompts_and_counts_as_no_work(tiny, requests, mode):
    scorer = opened(tiny, mode)
    scorer.score(requests[:3])
    assert scorer.facts()["start_check"] is None
    scorer.score(requests[3:90])
    facts = scorer.facts()["start_check"]
    assert facts["prompts"] == CHECKED
    assert facts["largest_score_difference"] < 1e-5 < facts["smallest_margin"]
    assert scorer._engine.work.prompts == 90


def test_a_promise_of_bitwise_scores_that_a_machine_breaks_is_found_at_the_start(tiny, requests, monkeypatch):
    scorer, answers = opened(tiny, "prefix_deterministic"), PrefixEngine.answers

    def moved(self, asked):
        results = answers(self, asked)
        return [r._replace(scores=(r.scores[0] * (1 + 1e-7), *r.scores[1:])) for r in results[:1]] + results[1:]

    monkeypatch.setattr(PrefixEngine, "answers", moved)
    with pytest.raises(InputError, match="differ alone and in company on this machine; set mode to deterministic"):
        scorer.score(requests[:8])


def save_other(folder, model, tiny):
    """A model of another architecture beside the tokenizer of the tiny one."""
    shutil.copytree(tiny.path, folder, ignore=shutil.ignore_patterns("*.safetensors", "config.json", "checkpoint.json"))
    model.save_pretrained(folder)
    write_manifest(folder)
    return dataclasses.replace(tiny, path=str(folder))


def small(vocabulary):
    return {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 4,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": 1024,
        "initializer_range": 0.3,
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "kind",
    [
        "qwen2",
        "gemma3, windows shorter than a prompt",
        "gemma4, layers of two shapes",
        "gemma4, layers that share keys and values",
        "mistral3 with pictures",
    ],
)
def test_other_architectures(tmp_path, tiny, tokenizer, requests, kind, mode):
    torch.manual_seed(0)
    sizes = small(len(tokenizer))
    if kind == "qwen2":
        entry = save_other(tmp_path / "model", Qwen2ForCausalLM(Qwen2Config(**sizes)), tiny)
    elif kind.startswith("gemma3"):
        layers = ["sliding_attention", "full_attention"] * 2
        config = Gemma3TextConfig(**sizes, head_dim=16, sliding_window=24, layer_types=layers)
        entry = save_other(tmp_path / "model", Gemma3ForCausalLM(config), tiny)
    elif kind.startswith("gemma4"):
        config = Gemma4TextConfig(
            **sizes,
            head_dim=16,
            global_head_dim=32,
            sliding_window=24,
            layer_types=["sliding_attention", "full_attention"] * 2,
            hidden_size_per_layer_input=8 if "share" in kind else 0,
            vocab_size_per_layer_input=len(tokenizer),
            num_kv_shared_layers=2 if "share" in kind else 0,
        )
        entry = save_other(tmp_path / "model", Gemma4ForCausalLM(config), tiny)
    else:
        entry = save_image_text(tmp_path / "model", tokenizer)
    assert_near(opened(entry, mode, batch_size=5).score(requests), TransformersScorer(entry).score(requests), 5e-5)


def test_nf4(tmp_path, tokenizer, requests):
    save_llama(tmp_path / "plain", tokenizer, hidden_size=64, intermediate_size=128)
    entry = save_quantized(tmp_path / "stored", tmp_path / "plain", tokenizer)
    for mode in MODES:
        assert_near(opened(entry, mode).score(requests[:12]), TransformersScorer(entry).score(requests[:12]))


def test_a_model_without_keys_and_values_is_refused(tmp_path, tiny, requests):
    from transformers import MambaConfig, MambaForCausalLM

    config = MambaConfig(vocab_size=200, hidden_size=16, num_hidden_layers=1, state_size=4)
    entry = save_other(tmp_path / "mamba", MambaForCausalLM(config), tiny)
    with pytest.raises(InputError, match="keeps something else than keys and values"):
        opened(entry, "prefix").score(requests[:2])


def test_the_mode_is_chosen_in_the_entry_and_enters_the_identity(tiny, tmp_path):
    identities = [TransformersScorer(tiny).identity]
    for mode in MODES:
        with open_judge(dataclasses.replace(tiny, mode=mode), tmp_path / mode) as model:
            assert isinstance(model.scorer._engine, PrefixEngine)
            task = make_task("threshold", 4)
            decisions = model.decide(near(task))
        with open_judge(dataclasses.replace(tiny, mode=mode), tmp_path / mode) as again:
            assert again.decide(near(task)[::-1])[::-1] == decisions
            assert again.scorer._engine.work.prompts == 0
        identities.append(model.scorer.identity)
    with open_judge(tiny, tmp_path / "plain") as model:
        assert isinstance(model.scorer._engine, PlainEngine)
    assert all(one != other for i, one in enumerate(identities) for other in identities[:i])


def test_the_engine_leaves_the_model_as_it_was(tiny, requests):
    scorer = opened(tiny, "prefix")
    scorer.score(requests[:6])
    token = torch.tensor([requests[0].token_ids])
    fresh = AutoModelForCausalLM.from_pretrained(tiny.path).eval()
    with torch.inference_mode():
        assert torch.equal(scorer._weights.model(input_ids=token).logits, fresh(input_ids=token).logits)
