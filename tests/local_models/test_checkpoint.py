"""A checkpoint's folder is whole or absent."""

import pytest
from transformers import LlamaConfig, LlamaForCausalLM

from jointcore.files import partial_path
from jointcore.local_models.checkpoint import save_checkpoint
from jointcore.local_models.tokenizer import vocabulary, word_tokenizer
from local_models.cases import SMALL, TEMPLATE


class Full(OSError):
    """The disk is full."""


class Unsavable:
    def save_pretrained(self, folder):
        (folder / "tokenizer.json").write_text("half")
        raise Full


@pytest.fixture
def parts():
    tokenizer = word_tokenizer(vocabulary(TEMPLATE, SMALL, 4))
    shape = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **shape)), tokenizer


def test_failed_save_leaves_nothing(parts, tmp_path):
    model, _ = parts
    with pytest.raises(Full):
        save_checkpoint(tmp_path / "tiny", model, Unsavable(), "card", {})
    assert list(tmp_path.iterdir()) == []


def test_failed_save_keeps_the_old_folder(parts, tmp_path):
    model, tokenizer = parts
    save_checkpoint(tmp_path / "tiny", model, tokenizer, "old", {"steps": 1})
    with pytest.raises(Full):
        save_checkpoint(tmp_path / "tiny", model, Unsavable(), "new", {})
    assert (tmp_path / "tiny" / "README.md").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_remains_of_a_killed_save_and_an_old_folder_are_replaced(parts, tmp_path):
    model, tokenizer = parts
    for folder in (tmp_path / "tiny", partial_path(tmp_path / "tiny")):
        folder.mkdir()
        (folder / "left.txt").write_text("left")
    save_checkpoint(tmp_path / "tiny", model, tokenizer, "card", {"steps": 1})
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]
    assert not (tmp_path / "tiny" / "left.txt").exists()
