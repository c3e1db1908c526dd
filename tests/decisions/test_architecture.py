"""Any model passes one probe at the start, with its own plain scores, or is refused by its name."""

import dataclasses

import pytest
import torch
import transformers as t

from decisions.questions import ALL, MODEL_GRID, TERSE, every_form
from decisions.tiny_checkpoint import TINY, finish, word_tokenizer
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.transformers.architecture import context_length, embedding_rows
from jointcore.decisions.transformers.lean_forward import LAST_LAYER, LOGITS, WHOLE, leanest_way, scored_logits
from jointcore.decisions.transformers.scorer import TransformersScorer
from jointcore.errors import InputError
from jointcore.tasks.generate import generate_tasks

SMALL = {key: value for key, value in TINY.items() if key != "max_position_embeddings"}
MOE = {"num_experts_per_tok": 2, "num_key_value_heads": 2, "max_position_embeddings": 1024}
CASES = {
    "gpt_oss": lambda v: t.GptOssForCausalLM(
        t.GptOssConfig(vocab_size=v, num_local_experts=4, head_dim=16, **SMALL, **MOE)
    ),
    "mixtral": lambda v: t.MixtralForCausalLM(t.MixtralConfig(vocab_size=v, num_local_experts=4, **SMALL, **MOE)),
    "qwen2_moe": lambda v: t.Qwen2MoeForCausalLM(
        t.Qwen2MoeConfig(
            vocab_size=v, num_experts=4, moe_intermediate_size=32, shared_expert_intermediate_size=32, **SMALL, **MOE
        )
    ),
    "gemma2": lambda v: t.Gemma2ForCausalLM(
        t.Gemma2Config(vocab_size=v, num_key_value_heads=2, head_dim=16, max_position_embeddings=1024, **SMALL)
    ),
    "gpt2": lambda v: t.GPT2LMHeadModel(
        t.GPT2Config(vocab_size=v, n_embd=32, n_layer=2, n_head=2, n_positions=1024, initializer_range=0.3)
    ),
    "phi": lambda v: t.PhiForCausalLM(t.PhiConfig(vocab_size=v, max_position_embeddings=1024, **SMALL)),
}


@pytest.fixture(scope="module")
def tokenizer():
    return word_tokenizer(PromptTemplate.load(TERSE))


def saved(folder, model, tokenizer):
    folder.mkdir()
    model.save_pretrained(folder)
    return finish(folder, tokenizer)


def made(name, tokenizer):
    torch.manual_seed(0)
    return CASES[name](len(tokenizer)).eval()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_the_way_that_is_found_gives_the_plain_scores(tokenizer, name, rows):
    model = made(name, tokenizer)
    way = leanest_way(model)
    tokens = torch.arange(5, 5 + 12 * rows).reshape(rows, 12)
    places = [(row, 11 - row) for row in range(rows)]
    with torch.inference_mode():
        plain = scored_logits(model, places, WHOLE, input_ids=tokens)
        found = scored_logits(model, places, way, input_ids=tokens)
    assert torch.allclose(plain, found, atol=1e-4)


def test_a_part_that_answers_otherwise_is_left_alone(tokenizer):
    """GPT-OSS's experts return two tensors, and with exactly two rows the lean way used to give a wrong score."""
    assert leanest_way(made("gpt_oss", tokenizer)) == LOGITS
    llama = t.LlamaForCausalLM(t.LlamaConfig(vocab_size=len(tokenizer), **SMALL)).eval()
    assert leanest_way(llama) == LAST_LAYER


@pytest.mark.parametrize("name", ["gpt_oss", "mixtral", "gpt2"])
def test_the_prefix_mode_scores_as_the_deterministic_one(tmp_path, tokenizer, name):
    entry = saved(tmp_path / name, made(name, tokenizer), tokenizer)
    template = PromptTemplate.load(TERSE)
    queries = list(every_form(next(iter(generate_tasks(MODEL_GRID))), (0, 5, ALL)))[:8]
    plain = TransformersScorer(entry)
    requests = [plain.encode(template.render(query)) for query in queries]
    alone = plain.score(requests)
    for mode in ("prefix", "prefix_deterministic"):
        for count in (1, 2, 3, 8):
            found = TransformersScorer(dataclasses.replace(entry, mode=mode)).score(requests[:count])
            for one, other in zip(alone, found, strict=False):
                assert other.scores == pytest.approx(one.scores, abs=2e-4)


@pytest.mark.parametrize(
    ("name", "model", "mode", "sentence"),
    [
        (
            "bert",
            lambda v: t.BertLMHeadModel(t.BertConfig(vocab_size=v, max_position_embeddings=1024, **SMALL)),
            "deterministic",
            "BertLMHeadModel.*does not read from left to right",
        ),
        (
            "roberta",
            lambda v: t.RobertaForCausalLM(t.RobertaConfig(vocab_size=v, max_position_embeddings=1024, **SMALL)),
            "prefix",
            "does not read from left to right",
        ),
        (
            "minimax",
            lambda v: t.MiniMaxForCausalLM(
                t.MiniMaxConfig(vocab_size=v, num_local_experts=2, head_dim=16, block_size=8, **SMALL, **MOE)
            ),
            "prefix",
            r"MiniMaxForCausalLM\).*set mode to deterministic or fast",
        ),
        (
            "mamba",
            lambda v: t.MambaForCausalLM(
                t.MambaConfig(vocab_size=v, hidden_size=32, num_hidden_layers=2, state_size=4)
            ),
            "prefix_deterministic",
            r"MambaForCausalLM\).*set mode to deterministic or fast",
        ),
    ],
)
def test_an_architecture_that_does_not_do_is_refused_by_name(tmp_path, tokenizer, name, model, mode, sentence):
    torch.manual_seed(0)
    entry = dataclasses.replace(saved(tmp_path / name, model(len(tokenizer)), tokenizer), mode=mode)
    scorer = TransformersScorer(entry)
    query = next(iter(every_form(next(iter(generate_tasks(MODEL_GRID))), (0,))))
    request = scorer.encode(PromptTemplate.load(TERSE).render(query))
    with pytest.raises(InputError, match=sentence):
        scorer.score([request])


@pytest.mark.parametrize(
    ("config", "length"),
    [
        ({"n_positions": 64, "n_ctx": 64}, 64),
        ({"max_position_embeddings": 512}, 512),
        ({"max_seq_len": 2048}, 2048),
        ({"text_config": {"max_position_embeddings": 128}, "max_position_embeddings": 9}, 128),
        ({"seq_length": 96}, 96),
        ({"model_type": "mamba"}, None),
        ({"max_position_embeddings": None}, None),
    ],
)
def test_the_longest_input_goes_by_many_names(config, length):
    assert context_length(config) == length


def test_a_prompt_past_the_limit_is_invalid_with_its_reason(tmp_path, tokenizer):
    torch.manual_seed(0)
    model = t.GPT2LMHeadModel(t.GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=1, n_head=2, n_positions=32))
    entry = saved(tmp_path / "gpt2", model, tokenizer)
    for mode in ("deterministic", "fast", "prefix"):
        scorer = TransformersScorer(dataclasses.replace(entry, mode=mode))
        query = next(iter(every_form(next(iter(generate_tasks(MODEL_GRID))), (ALL,))))
        result = scorer.score([scorer.encode(PromptTemplate.load(TERSE).render(query))])[0]
        assert result.scores is None
        assert "more than 32" in result.reason


@pytest.mark.parametrize("mode", ["deterministic", "fast", "prefix"])
def test_a_filling_token_that_the_model_lacks_is_not_used(tmp_path, tokenizer, mode):
    torch.manual_seed(0)
    changed = word_tokenizer(PromptTemplate.load(TERSE))
    changed.add_special_tokens({"pad_token": "<filling>"})
    model = t.LlamaForCausalLM(t.LlamaConfig(vocab_size=len(tokenizer), **SMALL, max_position_embeddings=1024))
    entry = dataclasses.replace(saved(tmp_path / "llama", model, changed), mode=mode, batch_size=4)
    assert changed.pad_token_id == len(tokenizer) == embedding_rows({"vocab_size": len(tokenizer)})
    scorer = TransformersScorer(entry)
    queries = list(every_form(next(iter(generate_tasks(MODEL_GRID))), (0, ALL)))[:6]
    requests = [scorer.encode(PromptTemplate.load(TERSE).render(query)) for query in queries]
    assert all(result.scores for result in scorer.score(requests))
