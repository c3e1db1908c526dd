"""Builds real Transformers checkpoints with random weights, small enough to make in every test run."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    LlamaConfig,
    LlamaForCausalLM,
    Mistral3Config,
    Mistral3ForConditionalGeneration,
    PreTrainedTokenizerFast,
)

from decisions.questions import ALL, MODEL_GRID, TERSE, every_form
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.hashing import sha256_file
from jointcore.tasks.generate import generate_tasks

CHAT = (
    "{% for message in messages %}<{{ message['role'] }}> {{ message['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
TINY = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 1024,
    "initializer_range": 0.3,
}


def word_tokenizer(template: PromptTemplate, chat: str | None = CHAT) -> PreTrainedTokenizerFast:
    """A word-level tokenizer that knows every word of the model grid's prompts."""
    words = {label for text in template.labels for label in text.split()}
    for task in generate_tasks(MODEL_GRID):
        for query in every_form(task, (0, ALL)):
            for message in template.render(query).messages:
                words.update(message["content"].split())
    special = ["<pad>", "<system>", "<user>", "<assistant>", "<end>"]
    inner = Tokenizer(WordLevel({word: number for number, word in enumerate([*special, *sorted(words)])}))
    inner.pre_tokenizer = WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<end>")
    tokenizer.chat_template = chat
    return tokenizer


def save_llama(folder: Path, tokenizer: PreTrainedTokenizerFast, seed: int = 0, **changes) -> ModelEntry:
    """A random Llama with a manifest of its files; returns its entry."""
    torch.manual_seed(seed)
    config = LlamaConfig(vocab_size=len(tokenizer), **{**TINY, **changes})
    LlamaForCausalLM(config).save_pretrained(folder)
    return finish(folder, tokenizer)


def save_image_text(folder: Path, tokenizer: PreTrainedTokenizerFast) -> ModelEntry:
    """A random Mistral 3 with a vision tower; returns its entry."""
    torch.manual_seed(0)
    text = dict(model_type="mistral", vocab_size=len(tokenizer), num_key_value_heads=2, head_dim=16, **TINY)
    vision = {
        "model_type": "pixtral",
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "image_size": 28,
        "patch_size": 14,
    }
    config = Mistral3Config(text_config=text, vision_config=vision, image_token_index=1)
    Mistral3ForConditionalGeneration(config).save_pretrained(folder)
    return dataclasses.replace(finish(folder, tokenizer), loader="image_text_to_text")


def save_quantized(folder: Path, original: Path, tokenizer: PreTrainedTokenizerFast) -> ModelEntry:
    """The NF4 form of a checkpoint, stored quantized with bfloat16 as compute type; returns its entry."""
    config = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    model = AutoModelForCausalLM.from_pretrained(
        original, quantization_config=config, dtype=torch.float32, device_map={"": "cpu"}
    )
    model.save_pretrained(folder)
    return dataclasses.replace(finish(folder, tokenizer), precision="nf4_stored", compute_dtype="float32")


def write_manifest(folder: Path) -> None:
    """Record the digests of a folder's files."""
    files = {path.name: sha256_file(path) for path in folder.iterdir() if path.name != "checkpoint.json"}
    (folder / "checkpoint.json").write_text(json.dumps({"files": files}))


def finish(folder: Path, tokenizer: PreTrainedTokenizerFast) -> ModelEntry:
    """Save a tokenizer beside a checkpoint with a manifest of all files; returns its entry."""
    tokenizer.save_pretrained(folder)
    write_manifest(folder)
    return local_entry(folder)


def local_entry(folder: Path) -> ModelEntry:
    """The entry of a checkpoint in a folder."""
    return ModelEntry(
        key="tiny",
        name="Tiny",
        role="local",
        licence="MIT",
        precision="float32",
        loader="causal_lm",
        prompt_template=str(TERSE),
        gpus=0,
        mem_mb=1000,
        runtime_minutes=1,
        shards=1,
        path=str(folder),
        digest_manifest="checkpoint.json",
    )
