"""The vocabulary holds every word of every prompt; an unknown word is an error."""

from random import Random

import pytest
from transformers import AutoTokenizer

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.errors import InputError
from jointcore.local_models.grammar import Mixture, draw_example
from jointcore.local_models.tokenizer import ASSISTANT, SYSTEM, USER, vocabulary, word_tokenizer
from jointcore.tasks.grid import Grid
from local_models.cases import GRID, TEMPLATE


@pytest.fixture(scope="module")
def tokenizer():
    return word_tokenizer(vocabulary(TEMPLATE, GRID))


@pytest.mark.parametrize("count", [8, 16, 64])
def test_every_word_of_a_prompt_is_one_token(tokenizer, count):
    rng = Random(count)
    grid = Grid(candidate_counts=(count,), support_sizes=(2, 3, 4, 5, 6, 7, 8))
    for _ in range(300):
        prompt = TEMPLATE.render(draw_example(rng, grid, Mixture()).query)
        system, user = (message["content"] for message in prompt.messages)
        tokens = tokenizer.apply_chat_template(list(prompt.messages), add_generation_prompt=True, return_dict=False)
        words = [SYSTEM, *system.split(), USER, *user.split(), ASSISTANT]
        assert tokenizer.convert_ids_to_tokens(tokens) == words
        for label in prompt.labels:
            assert tokenizer.convert_ids_to_tokens(tokenizer.encode(label)) == [label]


def test_vocabulary_is_sorted_and_without_repeats():
    words = vocabulary(TEMPLATE, GRID)
    assert words == sorted(set(words))
    assert {"YES", "NO", "A", "B", "EXECUTE", "HOLD", "COMMIT", "HALT", "m63", "NOTE_64", "h16"} <= set(words)


def test_unknown_word_is_an_error(tokenizer):
    with pytest.raises(Exception, match="UNK"):
        tokenizer.encode("rule perhaps")


def test_saved_tokenizer_reads_alike(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    again = AutoTokenizer.from_pretrained(tmp_path)
    messages = list(TEMPLATE.render(draw_example(Random(5), GRID, Mixture()).query).messages)
    options = {"add_generation_prompt": True, "return_dict": False}
    assert again.apply_chat_template(messages, **options) == tokenizer.apply_chat_template(messages, **options)
    assert len(again) == len(tokenizer)


def test_label_of_two_words_is_refused(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(TEMPLATE.path.read_text().replace('["YES", "NO"]', '["YES INDEED", "NO"]'))
    with pytest.raises(InputError, match=r"two\.yaml: the label 'YES INDEED' is not one word"):
        vocabulary(PromptTemplate.load(path), GRID)
