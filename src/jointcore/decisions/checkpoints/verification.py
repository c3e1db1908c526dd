"""Verifies every byte of a checkpoint against what the hub says of its files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from jointcore.decisions.checkpoints.locate import locate
from jointcore.decisions.models.entry import ModelEntry
from jointcore.errors import InputError
from jointcore.hashing import sha256_file

_BLOCK = 1 << 20


def checkpoint_record(entry: ModelEntry, endpoint: str | None = None) -> dict[str, Any]:
    """Fetch a checkpoint if it is not in the cache, verify it, and say what it holds.

    The hub names a file by its content: a large one by its SHA-256, a small one by its git hash. The cache
    keeps each file under that name, so a file in the cache can be verified without a connection.

    Args:
        entry: the model.
        endpoint: address of the hub; the public one, or what the environment says, by default.

    Returns:
        ``repository``, ``revision`` and ``files``: SHA-256 by name.

    Raises:
        InputError: a file is not the one that the hub named; see also
            :func:`jointcore.decisions.checkpoints.locate`.
    """
    place = locate(entry, endpoint=endpoint)
    files = {}
    for path in sorted(path for path in place.folder.iterdir() if path.is_file()):
        files[path.name] = sha256_file(path)
        # A local folder has recorded digests, which locate has verified.
        if not entry.path:
            _check_name(entry, path, files[path.name])
    return {"repository": place.repository, "revision": place.revision, "files": files}


def _check_name(entry: ModelEntry, path: Path, digest: str) -> None:
    """Check that a file of the cache is the one under whose name the cache keeps it."""
    if not path.is_symlink():
        raise InputError(
            f"model {entry.key}: {path} is a copy, so its digest is not known; put HF_HOME on a file system that has "
            "symbolic links and fetch it again"
        )
    if path.resolve().name not in (digest, git_hash(path)):
        raise InputError(
            f"model {entry.key}: {path} is not the file that the hub gave (its digest differs); delete "
            f"{path.resolve()} and fetch it again"
        )


def git_hash(path: Path) -> str:
    """The hash under which git keeps a file's content."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
