"""The made-up world of text memories, and the tiny model that learns it."""

from __future__ import annotations

import pytest

from jointcore.decisions.judges.text_model import open_text_model
from jointcore.decisions.prompts.text_template import TextPromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.hashing import sha256_file, stable_rng
from jointcore.local_models.plan import Plan
from jointcore.local_models.text_grammar import (
    POLICIES,
    as_question,
    draw_memory,
    draw_text_example,
    leaves,
    text_vocabulary,
)
from jointcore.local_models.tiny_text import make_text_checkpoint
from jointcore.local_models.tokenizer import word_tokenizer

TEMPLATE = TextPromptTemplate.load()


@pytest.mark.parametrize("vehicle", POLICIES)
def test_a_memory_is_drawn_as_wanted(vehicle):
    for number in range(40):
        satisfied = number % 2 == 0
        texts = draw_memory(stable_rng("test", vehicle, number), vehicle, satisfied, 12)
        assert leaves(vehicle, texts) == satisfied


def test_half_of_the_examples_are_satisfied_and_every_word_is_known():
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = word_tokenizer(text_vocabulary(TEMPLATE), Whitespace())
    first = 0
    for number in range(200):
        query, answer = draw_text_example(stable_rng("example", number), 16)
        first += answer == query.question.actions[0]
        for message in TEMPLATE.render(query).messages:
            assert len(tokenizer(message["content"])["input_ids"]) > 5  # an unknown word is an error
    assert 70 < first < 130


def test_the_same_plan_gives_the_same_checkpoint_and_a_strange_word_is_an_error(tmp_path):
    plan = Plan(layers=1, hidden=16, heads=2, steps=3, batch=2, seed=1)
    for name in ("one", "two"):
        make_text_checkpoint(tmp_path / name, "tiny_text", plan, TEMPLATE)
    digests = [sha256_file(tmp_path / name / "model.safetensors") for name in ("one", "two")]
    assert digests[0] == digests[1]
    judge = open_text_model(tmp_path / "one", ["YES", "NO"], threads=1)
    question = as_question("q", "crane", ["Emil filed the permit."])
    assert judge.decide([Query(question, 1)])[0].valid
    with pytest.raises(InputError, match="does not know every word|cannot encode"):
        judge.check([as_question("q", "crane", ["Emil ate the permit."])])
