"""Where a checkpoint is and whether it is the pinned one; reads no weights."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from safetensors import SafetensorError, safe_open

from jointcore.decisions.checkpoints.hub import SMALL_FILES, WEIGHTS, check_repository, fetch
from jointcore.decisions.models.entry import ModelEntry
from jointcore.errors import InputError
from jointcore.hashing import canonical_json, sha256, sha256_file

_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack", ".gguf")
_READ = (".json", ".jinja", ".safetensors", ".model")
_INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"


class Checkpoint(NamedTuple):
    """A checkpoint that is the pinned one.

    Attributes:
        folder: its local folder.
        repository, revision: what identifies its weights; for a local checkpoint, ``local`` and the SHA-256
            of its files' digests.
    """

    folder: Path
    repository: str
    revision: str


def locate(entry: ModelEntry, *, weights: bool = True, endpoint: str | None = None) -> Checkpoint:
    """Find a checkpoint, and prove that it is the pinned one.

    Args:
        entry: the model.
        weights: whether the weights are needed, or only configuration and tokenizer.
        endpoint: address of the hub; the public one, or what the environment says, by default.

    Raises:
        InputError: it is missing, incomplete, not the pinned one, or holds no safetensors; see also
            :func:`jointcore.decisions.checkpoints.hub.fetch`.
    """
    if not entry.path:
        files = check_repository(entry, endpoint)
        if files is not None:
            _check_format(entry, files)
        folder = fetch(entry, SMALL_FILES + (WEIGHTS if weights else ()), endpoint, cached=files is None)
        if weights:
            weight_files(entry, folder)
        return Checkpoint(folder, entry.repository, entry.revision)
    folder = Path(entry.path)
    if not folder.is_dir():
        raise InputError(
            f"model {entry.key}: the folder {folder} does not exist; make or download the checkpoint first"
        )
    files = weight_files(entry, folder)
    digests = _digests(entry, folder)
    if digests:
        _verify_digests(entry, folder, digests)
    if not entry.repository:
        pinned = {name: digest for name, digest in digests.items() if name.endswith(_READ)}
        return Checkpoint(folder, "local", sha256(canonical_json(pinned)))
    if not digests:
        _verify_revision(entry, folder, files)
    return Checkpoint(folder, entry.repository, entry.revision)


def weight_files(entry: ModelEntry, folder: Path) -> list[Path]:
    """The safetensors files of a checkpoint, after checking that all are there and none is cut short.

    Raises:
        InputError: a file is missing or damaged, or the weights are in another format.
    """
    index = folder / _INDEX
    if index.exists():
        names = sorted(set(_json(entry, index)["weight_map"].values()))
    else:
        _check_format(entry, [path.name for path in folder.iterdir()])
        names = [_SINGLE]
    for name in names:
        try:
            with safe_open(folder / name, "pt"):
                pass
        except FileNotFoundError:
            raise InputError(f"model {entry.key}: {folder} lacks {name}; download it again") from None
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"model {entry.key}: {folder / name} is damaged or cut short; download or make it again"
            ) from error
    return [folder / name for name in names]


def read_config(entry: ModelEntry, folder: Path) -> dict[str, Any]:
    """The checkpoint's ``config.json``.

    Raises:
        InputError: it is missing, is not JSON, or does not fit the entry's precision.
    """
    config = _json(entry, folder / "config.json")
    if "auto_map" in config and "model_type" not in config:
        raise InputError(f"model {entry.key}: {entry.source} needs code of its own, which is never run")
    stored = config.get("quantization_config")
    if entry.precision != "nf4_stored":
        if stored:
            method = stored.get("quant_method", "another method")
            raise InputError(
                f"model {entry.key}: {entry.source} is stored quantized ({method}) but its precision is "
                f"{entry.precision}; set precision to nf4_stored or choose the original checkpoint"
            )
        return config
    wanted = {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True}
    for key, value in wanted.items():
        found = (stored or {}).get(key)
        if found != value:
            raise InputError(
                f"model {entry.key}: its precision is nf4_stored, but config.json of {entry.source} has {key} "
                f"{found} instead of {value}; correct the precision or the checkpoint"
            )
    return config


def _check_format(entry: ModelEntry, names: Iterable[str]) -> None:
    top = [name for name in names if "/" not in name]
    if _SINGLE in top or _INDEX in top:
        return
    others = sorted(name for name in top if name.endswith(_PICKLED))
    if others:
        raise InputError(
            f"model {entry.key}: {entry.source} holds {others[0]} but no {_SINGLE}; only safetensors are read, so "
            "convert it with save_pretrained or choose another checkpoint"
        )
    raise InputError(f"model {entry.key}: {entry.source} holds no {_SINGLE}; choose a complete checkpoint")


def _digests(entry: ModelEntry, folder: Path) -> dict[str, str]:
    digests = dict(entry.digests)
    if entry.digest_manifest:
        manifest = folder / entry.digest_manifest
        files = _json(entry, manifest).get("files")
        if not isinstance(files, dict) or not files:
            raise InputError(f"model {entry.key}: {manifest} lists no digests under 'files'; make the checkpoint again")
        digests |= files
    return digests


def _verify_digests(entry: ModelEntry, folder: Path, digests: Mapping[str, str]) -> None:
    for path in sorted(folder.iterdir()):
        if path.name.endswith(_READ) and path.name not in (*digests, entry.digest_manifest):
            raise InputError(
                f"model {entry.key}: {path} has no recorded digest; remove it or make the checkpoint again"
            )
    for name, digest in sorted(digests.items()):
        path = folder / name
        if not path.is_file():
            raise InputError(f"model {entry.key}: {path} does not exist; make or download the checkpoint again")
        if sha256_file(path) != digest:
            raise InputError(
                f"model {entry.key}: {path} is not the recorded file (its SHA-256 differs); "
                "make or download the checkpoint again"
            )


def _verify_revision(entry: ModelEntry, folder: Path, weights: Iterable[Path]) -> None:
    """A copy proves its commit by its folder's name in the hub's cache, or by the record of ``hf download``."""
    if folder.resolve().name == entry.revision:
        return
    for name in ("config.json", *(path.name for path in weights)):
        record = folder / ".cache" / "huggingface" / "download" / f"{name}.metadata"
        try:
            found = record.read_text(encoding="utf-8").partition("\n")[0].strip()
        except OSError:
            raise InputError(
                f"model {entry.key}: {folder} does not say from which commit {name} is; fetch it with 'hf download "
                f"{entry.repository} --revision {entry.revision} --local-dir {folder}', or give digests"
            ) from None
        if found != entry.revision:
            raise InputError(
                f"model {entry.key}: {folder / name} is from commit {found} instead of {entry.revision}; "
                f"download that revision"
            )


def _json(entry: ModelEntry, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"model {entry.key}: {path} does not exist; make or download the checkpoint again") from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"model {entry.key}: {path} cannot be read as JSON; make or download the checkpoint again"
        ) from error
    if not isinstance(content, dict):
        raise InputError(f"model {entry.key}: {path} is not a JSON object; make or download the checkpoint again")
    return content
