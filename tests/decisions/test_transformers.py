from __future__ import annotations

import dataclasses
import logging
import random

import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file

from decisions.questions import TERSE, every_form, make_task
from decisions.short_memory import run_out_above
from decisions.tiny_checkpoint import save_image_text, save_llama, save_quantized, word_tokenizer, write_manifest
from jointcore.bitsets import full
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.scoring import ScoringRequest, best
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.errors import InputError
from jointcore.tasks.families import FAMILIES

ALL = full(16)


def queries():
    """Prompts of several lengths: all families, interfaces, label styles and steps."""
    chosen = random.Random(7)
    tasks = [make_task(family, 4) for family in FAMILIES]
    return [chosen.choice(every_form(chosen.choice(tasks), (0, 0x5A5A, ALL))) for _ in range(40)]


@pytest.fixture(scope="module")
def requests(tiny, terse_template):
    scorer = TransformersScorer(tiny)
    return [scorer.encode(terse_template.render(query)) for query in queries()]


@pytest.fixture(scope="module")
def long_labels(tmp_path_factory):
    """A template whose labels have two and three words that begin alike or not, and its tokenizer."""
    content = yaml.safe_load(TERSE.read_text())
    content["labels"] = {"boolean": ["YES", "NO never absent"], "ab": ["A or A", "A or B"]}
    path = tmp_path_factory.mktemp("prompts") / "long.yaml"
    path.write_text(yaml.safe_dump(content))
    template = PromptTemplate.load(path)
    return template, word_tokenizer(template)


def reference(scorer, request):
    """A row for each label, the logits of every position: slow and plain."""
    model = scorer._weights.model
    scores = []
    for label in request.label_ids:
        row = torch.tensor([request.token_ids + label])
        with torch.inference_mode():
            log_probabilities = model(input_ids=row).logits.float().log_softmax(-1)[0]
        start = len(request.token_ids) - 1
        scores.append(sum(float(log_probabilities[start + i, token]) for i, token in enumerate(label)) / len(label))
    return scores


def assert_like_the_reference(scorer, requests, tolerance=1e-5):
    for request, result in zip(requests, scorer.score(requests), strict=True):
        assert result.scores == pytest.approx(reference(scorer, request), abs=tolerance)


def test_scores_are_those_of_the_plain_way(tiny, requests):
    scorer = TransformersScorer(tiny)
    assert_like_the_reference(scorer, requests)
    assert len({best(result.scores) for result in scorer.score(requests)}) == 2


def test_labels_of_several_tokens(tmp_path, long_labels):
    template, tokenizer = long_labels
    entry = save_llama(tmp_path / "tiny", tokenizer)
    task = make_task("harmful_stale", 4)
    for mode in ("deterministic", "fast"):
        scorer = TransformersScorer(dataclasses.replace(entry, mode=mode, batch_size=3))
        requests = [scorer.encode(template.render(query)) for query in every_form(task, (0, ALL))]
        assert {tuple(map(len, request.label_ids)) for request in requests} == {(1, 1), (1, 3), (3, 3)}
        assert_like_the_reference(scorer, requests)
    three_rows = ScoringRequest(requests[0].token_ids, ((5, 6), (7, 8, 9), (7, 8), (10,)))
    assert scorer.score([three_rows])[0].scores == pytest.approx(reference(scorer, three_rows), abs=1e-5)


def test_deterministic_scores_are_bitwise_independent_of_company_order_and_resume(tiny, requests):
    whole = TransformersScorer(tiny).score(requests)
    assert len({len(request.token_ids) for request in requests}) > 5
    alone = TransformersScorer(tiny)
    assert [alone.score([request])[0] for request in requests] == whole
    order = random.Random(3).sample(range(len(requests)), len(requests))
    shuffled = TransformersScorer(tiny).score([requests[i] for i in order])
    assert [shuffled[order.index(i)] for i in range(len(requests))] == whole
    shards = [TransformersScorer(tiny).score(requests[part::2]) for part in range(2)]
    assert [shards[i % 2][i // 2] for i in range(len(requests))] == whole


def test_deterministic_scores_with_several_threads(tiny, requests):
    entry = dataclasses.replace(tiny, threads=2)
    try:
        whole = TransformersScorer(entry).score(requests[:12])
        again = TransformersScorer(entry).score(requests[11::-1])
    finally:
        torch.set_num_threads(1)
    assert again[::-1] == whole


def test_the_fast_mode_keeps_order_and_nearly_the_scores(tiny, requests):
    exact = TransformersScorer(tiny).score(requests)
    for size in (1, 7, 64):
        fast = TransformersScorer(dataclasses.replace(tiny, mode="fast", batch_size=size))
        for one, other in zip(exact, fast.score(requests), strict=True):
            assert other.scores == pytest.approx(one.scores, abs=1e-5)
    assert fast.identity != TransformersScorer(tiny).identity


def test_a_batch_that_does_not_fit_is_halved_and_nothing_is_lost(tiny, requests, caplog):
    fast = TransformersScorer(dataclasses.replace(tiny, mode="fast", batch_size=32))
    seen = run_out_above(fast, 9)
    exact = TransformersScorer(tiny).score(requests)
    with caplog.at_level(logging.WARNING):
        results = fast.score(requests)
    assert seen[:3] == [32, 16, 8]
    assert all(other.scores == pytest.approx(one.scores, abs=1e-5) for one, other in zip(exact, results, strict=True))
    assert "going on with batches of 8 (set batch_size to that)" in caplog.text


@pytest.mark.parametrize("mode", ["deterministic", "fast"])
def test_running_out_with_one_prompt_says_what_would_do(tiny, requests, mode):
    scorer = TransformersScorer(dataclasses.replace(tiny, mode=mode, batch_size=2))
    run_out_above(scorer, 0)
    with pytest.raises(InputError, match=r"model tiny ran out of memory on one prompt of \d+ tokens; use a machine"):
        scorer.score(requests)


def test_a_prompt_above_the_limit_is_invalid_with_its_length(tiny, requests):
    scorer = TransformersScorer(tiny)
    prompt, labels = requests[0]
    filler = prompt * 10
    label = max(map(len, labels))
    fits = ScoringRequest(filler[: 768 - label], labels)
    long = ScoringRequest(filler[: 769 - label], labels)
    first, second, third = scorer.score([long, fits, requests[0]])
    assert first == (None, "prompt and label have 769 tokens, more than 768")
    assert second.scores is not None
    assert third == scorer.score([requests[0]])[0]


def test_logits_that_are_not_finite_make_the_decision_invalid(tmp_path, tokenizer, requests):
    entry = save_llama(tmp_path / "tiny", tokenizer)
    weights = load_file(tmp_path / "tiny" / "model.safetensors")
    rare = requests[0].token_ids[-2]
    weights["model.embed_tokens.weight"][rare] = float("nan")
    save_file(weights, tmp_path / "tiny" / "model.safetensors", metadata={"format": "pt"})
    write_manifest(tmp_path / "tiny")
    without = tuple(token for token in requests[0].token_ids if token != rare)
    results = TransformersScorer(entry).score([requests[0], ScoringRequest(without, requests[0].label_ids)])
    assert results[0] == (None, "the model gave logits that are not finite numbers")
    assert results[1].scores is not None


def test_bfloat16(tiny, requests):
    exact = TransformersScorer(tiny).score(requests[:10])
    half = TransformersScorer(dataclasses.replace(tiny, precision="bfloat16"))
    results = half.score(requests[:10])
    assert half._weights.model.dtype == torch.bfloat16
    assert all(one.scores == pytest.approx(other.scores, abs=0.5) for one, other in zip(exact, results, strict=True))
    assert results != exact
    assert_like_the_reference(half, requests[:3], tolerance=0.05)


def test_an_image_text_model_scores_text(tmp_path, tokenizer, requests):
    entry = save_image_text(tmp_path / "mistral3", tokenizer)
    scorer = TransformersScorer(entry)
    assert_like_the_reference(scorer, requests[:8])
    assert type(scorer._weights.model).__name__ == "Mistral3ForConditionalGeneration"


def test_nf4_at_load_time_and_stored_quantized_agree(tmp_path, tokenizer, requests):
    from bitsandbytes.nn import Linear4bit

    plain = save_llama(tmp_path / "plain", tokenizer, hidden_size=64, intermediate_size=128)
    quantized = save_quantized(tmp_path / "stored", tmp_path / "plain", tokenizer)
    at_load = TransformersScorer(dataclasses.replace(plain, precision="nf4", compute_dtype="float32"))
    stored = TransformersScorer(quantized)
    results = at_load.score(requests[:8])
    assert stored.score(requests[:8]) == results
    for scorer in (at_load, stored):
        layers = [module for module in scorer._weights.model.modules() if isinstance(module, Linear4bit)]
        assert len(layers) == 14
        assert all(layer.compute_dtype == torch.float32 for layer in layers)
        assert_like_the_reference(scorer, requests[:3])
    assert TransformersScorer(plain).score(requests[:8]) != results
    assert at_load.identity["precision"] != stored.identity["precision"]


def test_the_weights_are_loaded_when_the_first_prompt_is_scored(tiny, requests, caplog):
    scorer = TransformersScorer(tiny)
    assert scorer.facts()["load_seconds"] is None
    prompt, labels = requests[0]
    scorer.score([ScoringRequest(prompt * 20, labels)])
    assert scorer.facts()["load_seconds"] is None
    scorer.score(requests[:1])
    facts = scorer.facts()
    assert facts["load_seconds"] > 0
    assert facts["peak_memory_mb"] > 50
    assert facts["devices"] == ["cpu"]


def test_missing_weights_are_not_made_up(tmp_path, tokenizer, requests):
    entry = save_llama(tmp_path / "tiny", tokenizer)
    weights = load_file(tmp_path / "tiny" / "model.safetensors")
    del weights["model.norm.weight"]
    save_file(weights, tmp_path / "tiny" / "model.safetensors", metadata={"format": "pt"})
    write_manifest(tmp_path / "tiny")
    with pytest.raises(InputError, match=r"lacks weights that causal_lm needs, such as model\.norm\.weight"):
        TransformersScorer(entry).score(requests[:1])


def test_the_wrong_loader_is_named(tiny, requests):
    scorer = TransformersScorer(dataclasses.replace(tiny, loader="image_text_to_text"))
    with pytest.raises(InputError, match="cannot be loaded as image_text_to_text .*; correct its loader"):
        scorer.score(requests[:1])


def test_the_identity_tells_apart_what_changes_scores(tiny, tmp_path, tokenizer):
    other = save_llama(tmp_path / "other", tokenizer, seed=1)
    same = save_llama(tmp_path / "same", tokenizer, seed=0)
    base = TransformersScorer(tiny).identity
    assert TransformersScorer(same).identity == base
    changed = [
        other,
        dataclasses.replace(tiny, precision="bfloat16"),
        dataclasses.replace(tiny, mode="fast"),
        dataclasses.replace(tiny, threads=2),
        dataclasses.replace(tiny, precision="nf4", compute_dtype="float32"),
    ]
    assert all(TransformersScorer(entry).identity != base for entry in changed)
