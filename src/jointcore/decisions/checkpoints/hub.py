"""Fetches a checkpoint from the Hugging Face hub at a pinned commit, or says in one sentence why not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import (
    DisabledRepoError,
    GatedRepoError,
    HfHubHTTPError,
    HTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from jointcore.decisions.models.entry import ModelEntry
from jointcore.errors import InputError

#: Everything but weights: configuration, tokenizer, chat template.
SMALL_FILES = ("*.json", "*.jinja", "tokenizer.model", "merges.txt", "vocab.txt")
#: Weights in the only format that is read.
WEIGHTS = ("model*.safetensors",)
#: Files in subfolders are copies in other formats.
_IGNORED = ("*/*",)
#: The hub was not reached, or is not to be, and what the cache holds does not do. Ask for
#: ``HfHubHTTPError``, an answer of the hub, before these.
_UNREACHED = (HTTPError, OSError)


def check_repository(entry: ModelEntry, endpoint: str | None = None) -> list[str] | None:
    """The names of a repository's files at the pinned commit; ``None`` if the hub cannot be reached.

    Args:
        entry: the model.
        endpoint: address of the hub; the public one, or what the environment says, by default.

    Raises:
        InputError: the repository is missing, gated, renamed or disabled, or has no such commit.
    """
    try:
        found = HfApi(endpoint=endpoint).model_info(entry.repository, revision=entry.revision, timeout=30)
    except HfHubHTTPError as error:
        raise _refused(entry, error) from error
    except _UNREACHED:
        return None
    if found.id != entry.repository:
        raise InputError(
            f"model {entry.key}: {entry.repository} was renamed to {found.id}; write that as its repository"
        )
    if found.sha != entry.revision:
        raise InputError(
            f"model {entry.key}: {entry.repository} gives commit {found.sha} for revision {entry.revision}; "
            "write the full hash of the commit that you mean"
        )
    return [file.rfilename for file in found.siblings or ()]


def fetch(entry: ModelEntry, patterns: Sequence[str], endpoint: str | None = None, *, cached: bool = False) -> Path:
    """Folder of a repository's files at the pinned commit, downloaded or from the cache.

    Args:
        entry: the model.
        patterns: the files that are wanted, :data:`SMALL_FILES` or also :data:`WEIGHTS`.
        endpoint: see :func:`check_repository`.
        cached: look in the cache only.

    Raises:
        InputError: see :func:`check_repository`; also when the files are neither on a hub that can be
            reached nor in the cache.
    """
    try:
        folder = snapshot_download(
            entry.repository,
            revision=entry.revision,
            allow_patterns=list(patterns),
            ignore_patterns=list(_IGNORED),
            endpoint=endpoint,
            local_files_only=cached,
        )
    except HfHubHTTPError as error:
        raise _refused(entry, error) from error
    except _UNREACHED as error:
        raise InputError(
            f"model {entry.key}: {entry.source} is not in the cache and the hub cannot be reached; connect, or run "
            f"'hf download {entry.repository} --revision {entry.revision}' where there is a connection"
        ) from error
    return Path(folder)


def _refused(entry: ModelEntry, error: HfHubHTTPError) -> InputError:
    about = f"model {entry.key}: {entry.repository}"
    if isinstance(error, GatedRepoError):
        return InputError(f"{about} is gated; accept its licence on its page and log in with 'hf auth login'")
    if isinstance(error, RevisionNotFoundError):
        return InputError(f"{about} has no commit {entry.revision}; write the full hash of one that it has as revision")
    if isinstance(error, DisabledRepoError):
        return InputError(f"{about} was disabled by the hub; choose another checkpoint")
    if isinstance(error, RepositoryNotFoundError):
        return InputError(
            f"{about} is missing, renamed or private; correct its repository or log in with 'hf auth login'"
        )
    status = error.response.status_code if error.response is not None else "no"
    return InputError(f"{about} cannot be read (status {status} from the hub); try again later")
