from __future__ import annotations

import copy

import pytest
import yaml

from jointcore.decisions.models.model_file import choose_models, read_models
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.prompts.text_template import TextPromptTemplate, load_any
from jointcore.documents import read_yaml
from jointcore.errors import InputError
from paths import PROJECT

FILE = PROJECT / "config" / "models.yaml"
SCHEMA = read_yaml(PROJECT / "workflow" / "schemas" / "models.schema.yaml")
#: Study, table of models.
STUDY = {
    "qwen25_14b": ("Qwen/Qwen2.5-14B-Instruct", "cf98f3b3bbb457ad9e2bb7baf9a0125b6b88caa8", "bfloat16"),
    "gemma4_12b_it": ("google/gemma-4-12B-it", "707f0a3b8a3c7ad586ed01e27eafbad8a27dd0f7", "bfloat16"),
    "mistral31_24b_4bit": (
        "unsloth/Mistral-Small-3.1-24B-Instruct-2503-bnb-4bit",
        "b28a0cfd2f7fe2293e41ad6ab930b184375daa50",
        "NF4 stored, double quantization, bfloat16 compute",
    ),
    "llama33_70b_4bit": (
        "meta-llama/Llama-3.3-70B-Instruct",
        "6f6073b423013f6a7d4d9f39144961bfbfbc386b",
        "NF4 at load time, double quantization, bfloat16 compute",
    ),
}


@pytest.fixture(scope="module")
def entries():
    return read_models(FILE, SCHEMA)


def test_the_studys_models(entries):
    found = {k: (e.repository, e.revision, e.described_precision) for k, e in entries.items() if e.role != "local"}
    assert found == STUDY
    assert [key for key, entry in entries.items() if entry.role == "exploratory"] == ["llama33_70b_4bit"]
    assert [key for key, entry in entries.items() if entry.shards == 2] == ["llama33_70b_4bit"]
    mistral = entries["mistral31_24b_4bit"]
    assert (mistral.loader, mistral.fix_mistral_regex) == ("image_text_to_text", True)
    assert all(entry.mode == "deterministic" for entry in entries.values() if entry.role != "local")
    assert all(entry.mode in ("deterministic", "prefix_deterministic") for entry in entries.values())


def test_the_local_models_are_pinned_and_run_on_a_cpu(entries):
    local = [entry for entry in entries.values() if entry.role == "local"]
    assert [entry.key for entry in local] == ["tiny_a", "tiny_b", "smollm2_135m", "tiny_text"]
    assert all(entry.device == "cpu" and entry.digest_manifest == "checkpoint.json" for entry in local)


def test_every_prompt_template_can_be_read(entries):
    for entry in entries.values():
        wanted = TextPromptTemplate if entry.kind == "text_model" else PromptTemplate
        assert isinstance(load_any(PROJECT / entry.prompt_template), wanted)


@pytest.mark.parametrize(
    ("key", "change", "said"),
    [
        ("qwen25_14b", {"revision": "main"}, "models/qwen25_14b/revision.*full commit hash"),
        ("qwen25_14b", {"precision": "int8"}, "models/qwen25_14b/precision: 'int8' is none of"),
        ("qwen25_14b", {"trust_remote_code": True}, "models/qwen25_14b/trust_remote_code is unknown"),
        ("qwen25_14b", {"licence": None}, "models/qwen25_14b lacks licence"),
        ("qwen25_14b", {"revision": None}, "models/qwen25_14b has repository but no revision"),
        ("qwen25_14b", {"repository": None}, "has revision but no repository"),
        ("qwen25_14b", {"gpu_memory_gb": None}, "lacks gpu_memory_gb"),
        ("qwen25_14b", {"digest_manifest": "checkpoint.json"}, "has digests but no path"),
        ("tiny_a", {"digest_manifest": None}, "has a path that nothing pins"),
        ("tiny_a", {"path": None, "digest_manifest": None}, "neither repository nor path"),
        ("tiny_a", {"role": "registered"}, "role registered but no repository"),
        ("tiny_a", {"shards": 0}, "models/tiny_a/shards: 0 is outside the range"),
        ("tiny_a", {"precision": None}, "models/tiny_a lacks precision, loader, gpus|models/tiny_a lacks precision"),
        ("tiny_a", {"kind": "endpoint"}, "models/tiny_a lacks settings"),
        ("tiny_a", {"kind": "oracle", "settings": {}}, "models/tiny_a/kind: unknown judge 'oracle'; known are"),
        ("tiny_a", {"kind": "endpoint", "settings": {"url": "http://127.0.0.1/v1"}}, "settings lacks served_model"),
        (
            "tiny_a",
            {"kind": "endpoint", "settings": {"url": "ftp://x", "served_model": "m"}},
            "tiny_a/settings key url: 'ftp://x' does not fit; give the server's address",
        ),
    ],
)
def test_a_bad_entry_is_named_with_its_key_and_the_remedy(tmp_path, key, change, said):
    document = copy.deepcopy(read_yaml(FILE))
    for name, value in change.items():
        document["models"][key][name] = value
        if value is None:
            del document["models"][key][name]
    path = tmp_path / "models.yaml"
    path.write_text(yaml.safe_dump(document))
    with pytest.raises(InputError, match=said):
        read_models(path, SCHEMA)


def test_chosen_models_keep_their_order(entries):
    assert [e.key for e in choose_models(entries, ["tiny_b", "qwen25_14b"])] == ["tiny_b", "qwen25_14b"]
    with pytest.raises(InputError, match="'gpt' has no entry; known are qwen25_14b"):
        choose_models(entries, ["gpt"])
    with pytest.raises(InputError, match="named twice"):
        choose_models(entries, ["tiny_a", "tiny_a"])
