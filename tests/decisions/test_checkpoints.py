from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants

from decisions.local_hub import REPOSITORY, REVISION, local_hub
from decisions.questions import TERSE, make_task
from decisions.tiny_checkpoint import CHAT, save_llama, word_tokenizer, write_manifest
from jointcore.bitsets import full
from jointcore.decisions.checkpoints.locate import locate
from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.decisions.transformers.scorer import TransformersScorer, check_model
from jointcore.errors import InputError


@pytest.fixture
def entry(tmp_path, tiny):
    """Entry of a copy of the tiny checkpoint that a test may spoil."""
    shutil.copytree(tiny.path, tmp_path / "copy")
    return dataclasses.replace(tiny, path=str(tmp_path / "copy"))


@pytest.fixture
def hub_entry(tiny, tmp_path, monkeypatch):
    """Entry of the tiny checkpoint as a repository, with an empty cache."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    return dataclasses.replace(tiny, path="", digest_manifest="", repository=REPOSITORY, revision=REVISION)


def refused(entry, said, **options):
    with pytest.raises(InputError, match=said) as caught:
        check_model(entry, **options)
    sentence = str(caught.value)
    assert sentence.startswith(f"model {entry.key}")
    assert "\n" not in sentence
    assert not sentence.endswith(".")


def edit(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def test_a_sound_checkpoint_passes(entry, terse_template):
    check_model(entry, terse_template)
    assert locate(entry).repository == "local"


def test_a_missing_folder(entry):
    refused(dataclasses.replace(entry, path="nowhere"), "the folder nowhere does not exist; make or download")


def test_a_changed_file(entry):
    path = Path(entry.path) / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    refused(entry, r"model\.safetensors is not the recorded file \(its SHA-256 differs\)")


def test_digests_in_the_entry(entry):
    digests = json.loads((Path(entry.path) / "checkpoint.json").read_text())["files"]
    (Path(entry.path) / "checkpoint.json").unlink()
    inline = dataclasses.replace(entry, digest_manifest="", digests=digests)
    check_model(inline)
    assert locate(inline)[1:] == locate(dataclasses.replace(inline, digests=digests))[1:]
    refused(dataclasses.replace(inline, digests=digests | {"config.json": "0" * 64}), "config.json is not the recorded")


def test_a_file_without_digest_or_a_digest_without_file(entry):
    extra = Path(entry.path) / "adapter.safetensors"
    shutil.copy(Path(entry.path) / "model.safetensors", extra)
    refused(entry, r"adapter\.safetensors has no recorded digest")
    write_manifest(Path(entry.path))
    extra.unlink()
    refused(entry, r"adapter\.safetensors does not exist")


def test_a_bad_manifest(entry):
    manifest = Path(entry.path) / "checkpoint.json"
    manifest.write_text("{}")
    refused(entry, "lists no digests under 'files'")
    manifest.write_text("{")
    refused(entry, "cannot be read as JSON")
    manifest.unlink()
    refused(entry, r"checkpoint\.json does not exist")


def test_weights_that_are_cut_short(entry):
    path = Path(entry.path) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    refused(entry, r"model\.safetensors is damaged or cut short")


def test_pickled_weights_are_never_read(entry):
    folder = Path(entry.path)
    torch.save({"weight": torch.zeros(1)}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    refused(entry, r"holds pytorch_model\.bin but no model\.safetensors; only safetensors are read")
    (folder / "pytorch_model.bin").unlink()
    refused(entry, r"holds no model\.safetensors; choose a complete checkpoint")


def test_a_missing_shard(entry):
    folder = Path(entry.path)
    index = {"metadata": {}, "weight_map": {"a": "model.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    refused(entry, r"lacks model-00002-of-00002\.safetensors; download it again")


def test_no_chat_template(tmp_path, terse_template):
    refused(save_llama(tmp_path / "plain", word_tokenizer(terse_template, chat=None)), "has no chat template")


def test_a_chat_template_that_takes_no_system_message(tmp_path, terse_template):
    picky = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        "<user> {{ messages[0]['content'] }} {% if add_generation_prompt %}<assistant>{% endif %}"
    )
    scorer = TransformersScorer(save_llama(tmp_path / "picky", word_tokenizer(terse_template, chat=picky)))
    prompt = terse_template.render(Query(make_task().question, full(16)))
    with pytest.raises(InputError, match=r"System role not supported\); .*leave 'system' empty"):
        scorer.encode(prompt)
    assert scorer.encode(Prompt(prompt.messages[1:], prompt.labels, prompt.actions)).token_ids


def test_the_day_is_not_in_a_prompt(tmp_path, terse_template):
    prompt = terse_template.render(Query(make_task().question, full(16)))
    chat = CHAT.replace("{% if", "{{ strftime_now(' %d %B %Y ') }}{% if")
    dated = word_tokenizer(terse_template, chat=chat)
    dated.add_tokens(["26", "July", "2024"])
    tokens = TransformersScorer(save_llama(tmp_path / "dated", dated)).encode(prompt).token_ids
    assert dated.convert_ids_to_tokens(tokens)[-4:] == ["26", "July", "2024", "<assistant>"]
    timed = word_tokenizer(terse_template, chat=chat.replace(" %d %B %Y ", "%H"))
    with pytest.raises(InputError, match="asks for the time %H"):
        TransformersScorer(save_llama(tmp_path / "timed", timed)).encode(prompt)


def test_labels_that_cannot_be_told_apart(entry, terse_template):
    scorer = TransformersScorer(entry)
    messages = terse_template.render(Query(make_task().question, full(16))).messages
    with pytest.raises(InputError, match="turns the label ' ' into no tokens; choose another label"):
        scorer.encode(Prompt(messages, ("YES", " "), ("HOLD", "EXECUTE")))
    with pytest.raises(InputError, match="gives the labels YES,  YES the same tokens"):
        scorer.encode(Prompt(messages, ("YES", " YES"), ("HOLD", "EXECUTE")))


def test_words_that_the_tokenizer_does_not_know(entry, default_template):
    scorer = TransformersScorer(entry)
    with pytest.raises(InputError, match="use the prompt template that the model was made for"):
        scorer.encode(default_template.render(Query(make_task().question, full(16))))


def test_a_label_of_the_template_is_checked_before_long_work(entry, tmp_path):
    changed = tmp_path / "changed.yaml"
    changed.write_text(TERSE.read_text().replace('["YES", "NO"]', '["YES", "PERHAPS"]'))
    refused(entry, "cannot encode 'PERHAPS'", template=PromptTemplate.load(changed))


def test_the_precision_has_to_fit_the_checkpoint(entry):
    stored = dataclasses.replace(entry, precision="nf4_stored")
    refused(stored, "precision is nf4_stored, but config.json of .* has load_in_4bit None instead of True")
    config = Path(entry.path) / "config.json"
    edit(config, lambda c: c.update(quantization_config={"quant_method": "gptq"}))
    write_manifest(Path(entry.path))
    refused(entry, r"is stored quantized \(gptq\) but its precision is float32")


def test_code_from_a_checkpoint_is_never_run(entry):
    edit(Path(entry.path) / "config.json", lambda c: (c.pop("model_type"), c.update(auto_map={"AutoConfig": "a.B"})))
    write_manifest(Path(entry.path))
    refused(entry, "needs code of its own, which is never run")


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_model_that_wants_a_gpu_where_there_is_none(entry):
    wanting = dataclasses.replace(entry, gpus=2, gpu_memory_gb=40)
    refused(wanting, "wants 2 GPUs with CUDA but this machine offers 0; run it on a machine that has them")
    check_model(wanting, devices=False)


def test_a_local_copy_of_a_repository_proves_its_revision(entry, tmp_path):
    copy = dataclasses.replace(entry, digest_manifest="", repository=REPOSITORY, revision=REVISION)
    refused(copy, "does not say from which commit config.json is; fetch it with 'hf download owner/tiny")
    record = Path(copy.path) / ".cache" / "huggingface" / "download"
    record.mkdir(parents=True)
    for name in ("config.json", "model.safetensors"):
        (record / f"{name}.metadata").write_text(f"{REVISION}\netag\n1.0\n")
    assert locate(copy)[1:] == (REPOSITORY, REVISION)
    (record / "model.safetensors.metadata").write_text(f"{'2' * 40}\netag\n1.0\n")
    refused(copy, f"model.safetensors is from commit {'2' * 40} instead of {REVISION}")
    in_cache = tmp_path / "snapshots" / REVISION
    shutil.copytree(entry.path, in_cache)
    assert locate(dataclasses.replace(copy, path=str(in_cache)))[1:] == (REPOSITORY, REVISION)


def test_a_repository_is_fetched_at_its_commit_and_scored(hub_entry, tiny, terse_template):
    prompt = terse_template.render(Query(make_task().question, full(16)))
    with local_hub(Path(tiny.path)) as endpoint:
        check_model(hub_entry, terse_template, endpoint=endpoint)
        fetched = TransformersScorer(hub_entry, endpoint=endpoint)
        folder = locate(hub_entry, endpoint=endpoint).folder
    assert (fetched.identity["repository"], fetched.identity["revision"]) == (REPOSITORY, REVISION)
    assert folder.name == REVISION
    local = TransformersScorer(tiny)
    assert fetched.score([fetched.encode(prompt)]) == local.score([local.encode(prompt)])
    # without a connection the cache does
    again = TransformersScorer(hub_entry, endpoint="http://127.0.0.1:9")
    assert again.identity == fetched.identity


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        ((401, "GatedRepo"), "owner/tiny is gated; accept its licence on its page and log in"),
        ((401, "RepoNotFound"), "owner/tiny is missing, renamed or private; correct its repository"),
        ((404, "RevisionNotFound"), f"owner/tiny has no commit {REVISION}"),
        ((503, "Busy"), r"owner/tiny cannot be read \(status 503 from the hub\)"),
    ],
)
def test_a_hub_that_refuses(hub_entry, tiny, refusal, said):
    with local_hub(Path(tiny.path), refusal=refusal) as endpoint:
        refused(hub_entry, said, endpoint=endpoint)


def test_a_renamed_repository_and_another_commit(hub_entry, tiny):
    with local_hub(Path(tiny.path), name="owner/new") as endpoint:
        refused(hub_entry, "owner/tiny was renamed to owner/new; write that as its repository", endpoint=endpoint)
    with local_hub(Path(tiny.path), sha="3" * 40) as endpoint:
        refused(hub_entry, f"gives commit {'3' * 40} for revision {REVISION}", endpoint=endpoint)


def test_a_repository_with_pickled_weights_only(hub_entry, entry):
    (Path(entry.path) / "model.safetensors").rename(Path(entry.path) / "pytorch_model.bin")
    with local_hub(Path(entry.path)) as endpoint:
        refused(hub_entry, r"holds pytorch_model\.bin but no model\.safetensors", endpoint=endpoint)


def test_no_connection_and_nothing_in_the_cache(hub_entry):
    refused(hub_entry, "is not in the cache and the hub cannot be reached; connect", endpoint="http://127.0.0.1:9")
