"""A checkpoint on this machine as judge of text memories."""

from __future__ import annotations

import math

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from jointcore.decisions.judges.text_model import open_text_model
from jointcore.decisions.prompts.text_template import DEFAULT, TextPromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from judges.questions import TEXTS, text_question
from paths import PROJECT

THREE = ("ship it", "hold it", "ask Rosa")


@pytest.fixture(scope="module")
def judge(served):
    """The tiny model as judge."""
    return open_text_model(served[0], threads=1)


def test_scores_are_mean_log_probabilities_of_any_number_of_answers(served, judge):
    question = text_question(answers=THREE)
    query = Query(question, 0b00101)
    (decision,) = judge.decide([query])
    model, tokenizer = (kind.from_pretrained(served[0]) for kind in (AutoModelForCausalLM, AutoTokenizer))
    prompt = TextPromptTemplate.load().render(query)
    start = tokenizer.apply_chat_template(list(prompt.messages), add_generation_prompt=True, return_dict=False)
    for answer in THREE:
        label = tokenizer.encode(answer, add_special_tokens=False)
        with torch.inference_mode():
            logits = model(torch.tensor([start + label])).logits[0].log_softmax(-1)
        expected = sum(logits[len(start) - 1 + i, token].item() for i, token in enumerate(label)) / len(label)
        assert decision.scores[answer] == pytest.approx(expected, abs=1e-4)
    assert decision.action == max(THREE, key=decision.scores.get)


def test_retained_memories_are_listed_in_presentation_order_and_omitted_ones_are_absent():
    question = text_question()
    question = type(question)(question.id, question.records, (3, 0, 1, 2, 4), question.condition, question.actions)
    prompt = TextPromptTemplate.load().render(Query(question, 0b01101))
    user = prompt.messages[-1]["content"]
    assert user.endswith(f"- {TEXTS[3]}\n- {TEXTS[0]}\n- {TEXTS[2]}")
    assert TEXTS[1] not in user
    assert "Does the crane leave?" in user
    assert "YES, NO" in user
    assert prompt.actions == ("YES", "NO")
    assert TextPromptTemplate.load().render(Query(question, 0)).messages[-1]["content"].endswith("(empty)")


def test_the_template_of_the_package_is_the_one_of_the_workflow():
    assert (PROJECT / "config/prompts/memories.yaml").read_bytes() == DEFAULT.read_bytes()


def test_answers_are_kept_across_judges(served, tmp_path):
    queries = [Query(text_question(), retained) for retained in (31, 1, 2, 1)]
    first = open_text_model(served[0], store=tmp_path / "store", threads=1)
    decisions = first.decide(queries)
    second = open_text_model(served[0], store=tmp_path / "store", threads=1)
    assert second.decide(queries) == decisions
    assert (first.counts.asked, second.counts.asked, second.counts.store_hits) == (3, 0, 3)


def test_two_checkpoints_do_not_share_answers(served, tmp_path):
    first = open_text_model(served[0], store=tmp_path / "store")
    changed = tmp_path / "changed"
    changed.mkdir()
    for path in served[0].iterdir():
        (changed / path.name).write_bytes(path.read_bytes())
    (changed / "chat_template.jinja").write_text("{{ messages[-1]['content'] }}")
    assert open_text_model(changed, store=tmp_path / "store").scorer.identity != first.scorer.identity


def test_a_prompt_longer_than_the_context_is_refused_and_never_cut(judge):
    long = text_question("long", texts=tuple(f"Note {i} of the yard says nothing." for i in range(400)))
    with pytest.raises(InputError, match="question long: with its 400 memories .* more than the model's 2048"):
        judge.check([text_question(), long])
    asked = judge.counts.asked
    full, part = judge.decide([Query(long, long.everything), Query(long, 7)])
    assert full.action is None
    assert "more than 2048" in full.reason
    assert part.valid
    assert judge.counts.asked == asked + 2
    assert math.isinf(full.margin("YES"))


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (("YES",), "1 answers are offered; offer at least two"),
        (("hold", "hold it"), "begins the label 'hold it' with all tokens of 'hold'"),
        (("YES", "YES"), "the same tokens"),
        (("YES", ""), "into no tokens"),
    ],
)
def test_answers_that_cannot_be_told_apart_are_refused_at_once(served, answers, sentence):
    with pytest.raises(InputError, match=sentence):
        open_text_model(served[0], answers)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nowhere", "neither a folder nor a Hugging Face repository"), ("./a/b", "neither a folder nor")],
)
def test_a_checkpoint_that_is_not_there_is_named(name, sentence):
    with pytest.raises(InputError, match=sentence):
        open_text_model(name)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("kind: another", "its first key must be 'kind: jointcore prompt template for text memories"),
        ("extra: text", "has an unknown key 'extra'"),
        ("user: '{{ query }} {{ answers }}'", "user lacks the variable 'records'"),
        ("record: '{{ text }} {{ value }}'", "record uses the unknown variable 'value'"),
        ("omitted: '{{ text }}'", "omitted uses the unknown variable 'text'"),
    ],
)
def test_a_mistake_in_a_template_is_named(tmp_path, change, sentence):
    key = change.split(":")[0]
    lines = [
        'kind: "jointcore prompt template for text memories, version 1"',
        'system: ""',
        'user: "{{ query }} {{ answers }} {{ records }}"',
        'record: "{{ text }}"',
        'omitted: ""',
        'nothing: "none"',
    ]
    kept = [line for line in lines if not line.startswith(f"{key}:")]
    path = tmp_path / "template.yaml"
    path.write_text("\n".join([*kept, change]))
    with pytest.raises(InputError, match=sentence):
        TextPromptTemplate.load(path)


def test_a_template_may_mask_what_is_omitted(tmp_path):
    text = DEFAULT.read_text().replace('omitted: ""', 'omitted: "- (unknown {{ type }})"')
    path = tmp_path / "masked.yaml"
    path.write_text(text)
    prompt = TextPromptTemplate.load(path).render(Query(text_question(), 1))
    assert prompt.messages[-1]["content"].count("- (unknown note)") == 4


def test_tokens_are_those_of_the_tokenizer(served, judge):
    tokenizer = AutoTokenizer.from_pretrained(served[0])
    assert judge.count_tokens(TEXTS[0]) == len(tokenizer.encode(TEXTS[0], add_special_tokens=False))


def test_what_a_text_memory_does_not_have_is_refused(judge):
    with pytest.raises(InputError, match="a text memory has no altered records"):
        judge.decide([Query(text_question(), 31, altered=1)])
