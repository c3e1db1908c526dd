"""What a model reads is what was written: chat templates that drop, change or misplace it are refused by name."""

import dataclasses
import json
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from decisions.questions import TERSE
from decisions.tiny_checkpoint import CHAT, save_llama, word_tokenizer, write_manifest
from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.judges import checkpoint
from jointcore.decisions.prompts.samples import sample_prompts
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.transformers.chat import ChatEncoder
from jointcore.decisions.transformers.chat_template import ChatTemplate, template_identity
from jointcore.decisions.transformers.scorer import TransformersScorer, check_model
from jointcore.errors import InputError

MESSAGES = ({"role": "system", "content": "Apply the rule."}, {"role": "user", "content": "  Is it so?  "})
LABELS = ("YES", "NO")
PARTS = (
    "{% for m in messages %}<{{ m['role'] }}>{% for part in m['content'] %}{{ part['text'] }}{% endfor %}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
PLAIN = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] | trim }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
#: As Mistral's: nothing is added where an answer is to come, and it begins right there.
NO_MARK = "{% for m in messages %}{% if m['role'] == 'assistant' %} {{ m['content'] }}</s>{% else %}[INST]{{ m['content'] }}[/INST]{% endif %}{% endfor %}"  # noqa: E501
IGNORED = "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}\n{% endfor %}"
THINKING = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}<assistant>"
    "{% if enable_thinking is not defined or enable_thinking %}<think>\n{% endif %}{% endif %}"
)
#: As Qwen 3's: an answer stands behind an empty block of thinking, which the prompt leaves out unless it is told.
HIDDEN = (
    "{% for m in messages %}<{{ m['role'] }}>{% if m['role'] == 'assistant' %}<think>\n\n</think>\n\n{% endif %}"
    "{{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}<assistant>"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
#: As GPT-OSS's: the channel of an answer is not a part of the prompt.
CHANNEL = (
    "{% for m in messages %}<{{ m['role'] }}>{% if m['role'] == 'assistant' %}<|channel|>final<|message|>{% endif %}"
    "{{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
SHORTENED = PLAIN.replace("{{ m['content'] | trim }}", "{{ (m['content'] | trim)[:6] }}")
LAST_ONLY = PLAIN.replace("for m in messages", "for m in messages[-1:]")
UPPER = PLAIN.replace("| trim", "| trim | upper")


@pytest.fixture(scope="module")
def tokenizer():
    return word_tokenizer(PromptTemplate.load(TERSE))


@pytest.fixture(scope="module")
def entry(tmp_path_factory, tokenizer):
    return save_llama(tmp_path_factory.mktemp("chat") / "tiny", tokenizer)


def rendered(entry, tokenizer, template, tmp_path, **changes):
    tokenizer.chat_template = template
    try:
        given = dataclasses.replace(entry, **changes)
        return ChatTemplate(given, tokenizer, tmp_path).render(MESSAGES, LABELS)
    finally:
        tokenizer.chat_template = CHAT


@pytest.mark.parametrize(
    ("template", "changes", "expected"),
    [
        (PLAIN, {}, "<system>Apply the rule.\n<user>Is it so?\n<assistant>"),
        (PARTS, {"content": "parts"}, "<system>Apply the rule.<user>  Is it so?  <assistant>"),
        (NO_MARK, {}, "[INST]Apply the rule.[/INST][INST]  Is it so?  [/INST]"),
        (
            THINKING,
            {"template_arguments": {"enable_thinking": False}},
            "<system>Apply the rule.\n<user>  Is it so?  \n<assistant>",
        ),
        (
            HIDDEN,
            {"template_arguments": {"enable_thinking": False}},
            "<system>Apply the rule.\n<user>  Is it so?  \n<assistant><think>\n\n</think>\n\n",
        ),
        (
            CHANNEL,
            {"answer_prefix": "<|channel|>final<|message|>"},
            "<system>Apply the rule.\n<user>  Is it so?  \n<assistant><|channel|>final<|message|>",
        ),
        (
            THINKING,
            {"answer_prefix": "</think>"},
            "<system>Apply the rule.\n<user>  Is it so?  \n<assistant><think>\n</think>",
        ),
        (IGNORED, {"answer_prefix": "<assistant>"}, "<system>Apply the rule.\n<user>  Is it so?  \n<assistant>"),
    ],
    ids=["plain", "parts", "no mark", "thinking off", "hidden off", "channel", "thinking closed", "begun by hand"],
)
def test_a_chat_that_says_all_ends_where_an_answer_begins(entry, tokenizer, tmp_path, template, changes, expected):
    assert rendered(entry, tokenizer, template, tmp_path, **changes) == expected


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        (PARTS, "does not carry the system message whole .*set content to parts"),
        (SHORTENED, "does not carry the system message whole"),
        (LAST_ONLY, "does not carry the system message whole"),
        (UPPER, "does not carry the system message whole"),
        (IGNORED, r"ignores that an answer is to come \(add_generation_prompt\)"),
        (THINKING, "opens a block of thinking .*template_arguments"),
        (HIDDEN, r"puts '<think>.*</think>.* between the prompt and an answer; give that as answer_prefix"),
        (CHANNEL, "between the prompt and an answer"),
        (PLAIN + "{% if not add_generation_prompt %}<end>{% endif %}", "writes another chat when an answer is to come"),
        ("{{ raise_exception('no system message') }}", "refuses the prompt .*leave 'system' empty"),
        (None, "has no chat template; choose an instruct checkpoint"),
        ({"tool_use": PLAIN, "rag": PLAIN}, "several names, rag, tool_use, and not as 'default'; name one of them"),
    ],
)
def test_a_chat_that_does_not_is_refused_in_one_sentence(entry, tokenizer, tmp_path, template, sentence):
    with pytest.raises(InputError, match=sentence) as found:
        rendered(entry, tokenizer, template, tmp_path)
    assert str(found.value).startswith("model tiny: the ")


def test_named_templates_are_chosen_by_name(entry, tokenizer, tmp_path):
    named = {"default": PLAIN, "tool_use": NO_MARK}
    assert rendered(entry, tokenizer, named, tmp_path).startswith("<system>")
    assert rendered(entry, tokenizer, named, tmp_path, chat_template="tool_use").startswith("[INST]")
    listed = [{"name": name, "template": template} for name, template in named.items()]
    assert rendered(entry, tokenizer, listed, tmp_path).startswith("<system>")
    with pytest.raises(InputError, match="has no name, so 'tool_use' cannot be chosen"):
        rendered(entry, tokenizer, PLAIN, tmp_path, chat_template="tool_use")


def test_a_processor_s_template_is_read(entry, tokenizer, tmp_path):
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": PLAIN}))
    assert rendered(entry, tokenizer, None, tmp_path).startswith("<system>")
    (tmp_path / "chat_template.json").write_text("{")
    with pytest.raises(InputError, match="has no chat template"):
        rendered(entry, tokenizer, None, tmp_path)


@pytest.mark.parametrize("form", [{"tool_use": PLAIN}, [{"name": "rag", "template": PLAIN}], PARTS])
def test_the_check_before_a_job_and_the_job_refuse_alike(tmp_path, tokenizer, form):
    entry = save_llama(tmp_path / "tiny", tokenizer)
    settings = tmp_path / "tiny" / "tokenizer_config.json"
    (tmp_path / "tiny" / "chat_template.jinja").unlink(missing_ok=True)
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "chat_template": form}))
    write_manifest(tmp_path / "tiny")
    template = PromptTemplate.load(TERSE)
    with pytest.raises(InputError) as before:
        check_model(entry, template)
    with pytest.raises(InputError) as after, open_judge(entry, tmp_path / "store"):
        pass
    assert str(before.value) == str(after.value)
    assert AutoTokenizer.from_pretrained(tmp_path / "tiny").chat_template


def test_every_style_and_step_is_tried(entry):
    prompts = list(sample_prompts(PromptTemplate.load(TERSE)))
    assert len(prompts) == 3 * 3
    assert {prompt.labels for prompt in prompts} >= {("YES", "NO"), ("A", "B"), ("COMMIT", "HALT")}
    TransformersScorer(entry).check(prompts)


def test_what_is_not_said_of_a_template_leaves_stored_answers_valid(entry):
    assert template_identity(entry) == {}
    plain = TransformersScorer(entry).identity
    told = TransformersScorer(dataclasses.replace(entry, template_arguments={"enable_thinking": False})).identity
    assert told == {**plain, "template_arguments": {"enable_thinking": False}}


def test_a_token_without_a_row_is_refused_and_never_fills_up(entry, tokenizer):
    folder = Path(entry.path)
    rows = len(tokenizer)
    assert ChatEncoder(entry, folder, rows).padding == tokenizer.pad_token_id
    assert ChatEncoder(entry, folder, tokenizer.pad_token_id).padding == 0
    with pytest.raises(InputError, match=f"uses the token .* has rows for {rows // 2} only"):
        for prompt in sample_prompts(PromptTemplate.load(TERSE)):
            ChatEncoder(entry, folder, rows // 2).encode(prompt)


def test_the_judge_is_a_kind_of_the_catalogue():
    assert checkpoint.checkpoint.slug == "checkpoint"
