"""A tiny checkpoint that reads any text, as Transformers' folder and as llama.cpp's file with the same weights."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

ANSWERS = ("YES", "NO")
SPECIAL = ("<end>", "<pad>")
CHAT = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def byte_tokenizer(texts: list[str], size: int = 400) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer that reads any text."""
    inner = Tokenizer(BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner.train_from_iterator(
        texts, BpeTrainer(vocab_size=size, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token=SPECIAL[0], pad_token=SPECIAL[1])
    tokenizer.chat_template = CHAT
    return tokenizer


def tiny_llama(tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> LlamaForCausalLM:
    """A random Llama."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config).eval()
    # One of the two answers is always likely, and which of them depends on the prompt.
    yes, no = (tokenizer.encode(answer, add_special_tokens=False)[0] for answer in ANSWERS)
    with torch.no_grad():
        head = model.lm_head.weight
        head[yes] *= 20
        head[no] = -head[yes]
        head[tokenizer.eos_token_id] = 0
    return model


def write_gguf(path: Path, model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast) -> None:
    """The same weights and tokenizer as one file of llama.cpp, in float32."""
    config, inner = model.config, tokenizer.backend_tokenizer
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_attention_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    words = sorted(inner.get_vocab(), key=inner.get_vocab().get)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(words)
    writer.add_token_types([gguf.TokenType.CONTROL if word in SPECIAL else gguf.TokenType.NORMAL for word in words])
    writer.add_token_merges([" ".join(pair) for pair in json.loads(inner.to_str())["model"]["merges"]])
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_bos_token_id(tokenizer.eos_token_id)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, tensor in model.state_dict().items():
        if name.endswith(("q_proj.weight", "k_proj.weight")):
            tensor = interleaved(tensor, config.num_attention_heads)
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight",)), tensor.numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def interleaved(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of a projection as llama.cpp turns them: pairs side by side instead of half a head apart."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns).contiguous()


def save_both(folder: Path) -> tuple[Path, Path]:
    """A Transformers folder and a llama.cpp file with the same tokenizer and weights."""
    tokenizer = byte_tokenizer(
        ["YES", "NO", "the permit arrived on Monday and the crane left the yard", "YES", "NO"] * 4
    )
    model = tiny_llama(tokenizer)
    model.save_pretrained(folder / "tiny")
    tokenizer.save_pretrained(folder / "tiny")
    write_gguf(folder / "tiny.gguf", model, tokenizer)
    return folder / "tiny", folder / "tiny.gguf"
