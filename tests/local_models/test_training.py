"""Training is reproducible, leaves no trace in the process, and learns."""

import json
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from jointcore.hashing import sha256_file
from jointcore.local_models.grammar import Mixture, draw_example
from jointcore.local_models.plan import Plan, plan_problems
from jointcore.local_models.quality import PRIMARY, held_out_accuracy
from jointcore.local_models.tiny import make_checkpoint
from jointcore.local_models.tokenizer import vocabulary, word_tokenizer
from jointcore.local_models.training import DECAY, encode, grid_at, last_logits, rate, train
from local_models.cases import GRID, SMALL, TEMPLATE

MINUTE = Plan(layers=1, hidden=16, heads=2, steps=3, batch=4, seed=7)


@pytest.fixture(scope="module")
def tokenizer():
    return word_tokenizer(vocabulary(TEMPLATE, SMALL, 4))


@pytest.fixture(scope="module")
def learnt(tokenizer):
    return train(Plan(layers=2, hidden=32, heads=2, steps=250, batch=32, seed=1), TEMPLATE, tokenizer, SMALL, PRIMARY)


def weights(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_same_plan_same_bytes_and_another_seed_others(tmp_path):
    for name, plan in (("a", MINUTE), ("b", MINUTE), ("c", replace(MINUTE, seed=8))):
        make_checkpoint(tmp_path / name / "tiny", "tiny", plan, TEMPLATE, SMALL)
    a, b, c = (weights(tmp_path / name / "tiny") for name in "abc")
    assert a == b
    assert a["model.safetensors"] != c["model.safetensors"]
    assert a["tokenizer.json"] == c["tokenizer.json"]


def test_checkpoint_is_whole(tmp_path):
    make_checkpoint(tmp_path / "tiny", "tiny", MINUTE, TEMPLATE, SMALL)
    manifest = json.loads((tmp_path / "tiny" / "checkpoint.json").read_text())
    others = {path.name: sha256_file(path) for path in (tmp_path / "tiny").iterdir() if path.name != "checkpoint.json"}
    assert manifest["files"] == others
    assert manifest["template_digest"] == TEMPLATE.digest
    assert (manifest["steps"], manifest["seed"], manifest["role"]) == (3, 7, "local")
    card = (tmp_path / "tiny" / "README.md").read_text()
    assert "A local demonstration" in card
    assert "nothing\nabout the ability of large language models" in card
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "tiny", use_safetensors=True)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "tiny")
    assert model.config.vocab_size == len(tokenizer)
    assert tokenizer.chat_template


def test_training_leaves_the_process_as_it_was(tokenizer):
    torch.manual_seed(3)
    before = torch.get_num_threads(), torch.get_rng_state()
    train(replace(MINUTE, threads=2), TEMPLATE, tokenizer, SMALL)
    assert torch.get_num_threads() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])
    assert not torch.are_deterministic_algorithms_enabled()


def test_training_does_not_depend_on_what_ran_before(tokenizer):
    def trained(seed):
        torch.manual_seed(seed)
        return train(MINUTE, TEMPLATE, tokenizer, SMALL).state_dict()

    first, second = trained(1), trained(2)
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_one_family_is_learnt(learnt, tokenizer):
    accuracy = held_out_accuracy(learnt, TEMPLATE, tokenizer, SMALL, questions=200)
    assert accuracy["single_variable"] > 0.95


def test_untrained_model_is_at_chance(tokenizer):
    model = train(replace(MINUTE, steps=0), TEMPLATE, tokenizer, SMALL)
    accuracy = held_out_accuracy(model, TEMPLATE, tokenizer, SMALL, questions=400)
    assert 0.35 < accuracy["single_variable"] < 0.65


def test_padding_changes_no_answer(learnt, tokenizer):
    rng = Random(9)
    examples = [draw_example(rng, replace(SMALL, candidate_counts=(count,)), Mixture()) for count in (3, 4)]
    tokens, lengths, labels = encode(examples, TEMPLATE, tokenizer)
    assert len(set(lengths.tolist())) > 1
    together = last_logits(learnt, tokens, lengths)
    for i, example in enumerate(examples):
        alone_tokens, alone_length, label = encode([example], TEMPLATE, tokenizer)
        assert label == labels[i]
        torch.testing.assert_close(last_logits(learnt, alone_tokens, alone_length)[0], together[i], atol=1e-5, rtol=0)


def test_rate_rises_stays_and_falls():
    rates = [rate(step, 1000) for step in range(1000)]
    assert rates[0] == 0.01
    top = round(1000 * (1 - DECAY))
    assert set(rates[99:top]) == {1.0}
    assert all(later < earlier for earlier, later in pairwise(rates[top:]))
    assert 0 < rates[-1] < 0.01


def test_easy_tasks_come_first():
    parts = [grid_at(step, 100, GRID) for step in range(100)]
    kinds = list(dict.fromkeys((part.families, part.candidate_counts) for part in parts))
    every = GRID.families
    assert kinds == [(("single_variable", "redundant_or"), (4,)), (every, (4,)), (every, (8,)), (every, (16,))]
    assert parts[-1] is GRID
    few = replace(GRID, families=("threshold",), candidate_counts=(6,))
    assert {(part.families, part.candidate_counts) for part in (grid_at(step, 100, few) for step in range(100))} == {
        (("threshold",), (4,)),
        (("threshold",), (6,)),
    }


def test_unsound_plans_are_named():
    plans = {"a": {"hidden": 32, "heads": 4}, "b": {"hidden": 36, "heads": 4}}
    assert plan_problems(plans) == ["b has hidden 36 and heads 4; make hidden a multiple of twice the heads"]
