"""A local checkpoint: a Transformers folder with a model card and a manifest of its files' digests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from jointcore.files import partial_path, write_json, write_text
from jointcore.hashing import sha256_file

MANIFEST = "checkpoint.json"
CARD = "README.md"


def save_checkpoint(
    folder: str | Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    card: str,
    facts: Mapping[str, Any],
) -> None:
    """Save a model, its tokenizer, a card and a manifest; the folder appears whole or not at all.

    The same model and tokenizer give the same bytes. An existing folder is replaced.

    Args:
        folder: folder to write.
        model: saved by ``save_pretrained`` as safetensors.
        tokenizer: saved beside it with its chat template.
        card: text of the model card, Markdown.
        facts: what else the manifest ``checkpoint.json`` says beside ``files`` (digest of every other
            file, by name) and ``versions`` (of the libraries that wrote them).
    """
    with _whole_folder(Path(folder)) as partial:
        model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
        write_text(partial / CARD, card)
        files = {path.name: sha256_file(path) for path in sorted(partial.iterdir())}
        versions = {name: version(name) for name in ("safetensors", "tokenizers", "torch", "transformers")}
        write_json(partial / MANIFEST, {**facts, "files": files, "versions": versions})


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder beside ``folder`` that takes its place when the block ends without an error."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_path(folder)
    partial.mkdir()
    try:
        yield partial
        for path in partial.iterdir():
            with open(path, "rb+") as handle:
                os.fsync(handle.fileno())
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
