from __future__ import annotations

import pytest

from decisions.questions import DEFAULT, TERSE
from decisions.tiny_checkpoint import save_llama, word_tokenizer
from jointcore.decisions.prompts.template import PromptTemplate


@pytest.fixture(scope="session")
def default_template():
    return PromptTemplate.load(DEFAULT)


@pytest.fixture(scope="session")
def terse_template():
    return PromptTemplate.load(TERSE)


@pytest.fixture(scope="session")
def tokenizer(terse_template):
    return word_tokenizer(terse_template)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory, tokenizer):
    """Entry of a tiny random Llama."""
    return save_llama(tmp_path_factory.mktemp("checkpoints") / "tiny", tokenizer)
