"""A Transformers checkpoint on this machine as judge of text memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jointcore.decisions.catalogue import judge
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.protocol import Judge
from jointcore.errors import InputError

if TYPE_CHECKING:
    from jointcore.decisions.text_judge import TextJudge

#: Main memory that the prefix cache takes a quarter of, in MB.
_MEMORY_MB = 8000


@judge(name="Transformers checkpoint, text memories")
def text_model(entry: ModelEntry, store: Path) -> Iterator[Judge]:
    """The checkpoint of an entry, whose prompt template words questions about text memories.

    Raises:
        InputError: see :func:`open_text_model`.
    """
    opened = _open(entry, store, entry.prompt_template)
    try:
        yield opened
    finally:
        opened.close()


def open_text_model(
    checkpoint: str | Path,
    answers: Sequence[str] = (),
    *,
    store: str | Path | None = None,
    template: str | Path | None = None,
    revision: str | None = None,
    precision: str | None = None,
    gpus: int = 0,
    threads: int | None = None,
    mode: str | None = None,
) -> TextJudge:
    """A checkpoint as judge of text memories; its weights are loaded at the first question that the store lacks.

    Args:
        checkpoint: a folder in Transformers' format, or a Hugging Face repository, ``owner/name``.
        answers: the answers that will be offered, to check them now.
        store: folder in which answers are kept and looked up, across processes; ``None`` keeps them in this one.
        template: the wording, see :mod:`jointcore.decisions.prompts.text_template`; this package's by default.
        revision: commit of the repository; the newest one, or the one in the cache, by default.
        precision: ``bfloat16`` or ``float32``; by default the first on GPUs and the second on a CPU.
        gpus: GPUs over which the model is spread; 0 for the CPU.
        threads: CPU threads; PyTorch's own number by default.
        mode: see :class:`jointcore.decisions.models.entry.ModelEntry`; by default one prompt at a time, and on a CPU
            beginnings that prompts share are run once.

    Returns:
        A judge with ``decide(queries)``, ``check(questions)``, ``count_tokens(text)``, ``facts()`` and ``close()``.

    Raises:
        InputError: the checkpoint is missing, incomplete or has no chat template, the template is none for text
            memories, or an answer cannot be told from another by the model's tokens.
    """
    import torch

    place = _place(checkpoint, revision, pinned=store is not None)
    entry = ModelEntry(
        key=str(checkpoint),
        name=str(checkpoint),
        role="local",
        licence="unknown",
        precision=precision or ("bfloat16" if gpus else "float32"),
        loader="causal_lm",
        prompt_template="",
        mode=mode or ("deterministic" if gpus else "prefix_deterministic"),
        gpus=gpus,
        gpu_memory_gb=0 if gpus else None,
        mem_mb=_MEMORY_MB,
        runtime_minutes=1,
        shards=1,
        threads=threads or torch.get_num_threads(),
        **place,
    )
    opened = _open(entry, store, template)
    if answers:
        opened.check_answers(tuple(answers))
    return opened


def _open(entry: ModelEntry, store: str | Path | None, template: str | Path | None) -> TextJudge:
    # Here, since a workflow reads the catalogue where no model library is.
    from jointcore.decisions.prompts.text_template import TextPromptTemplate
    from jointcore.decisions.store.decision_store import DecisionStore
    from jointcore.decisions.text_judge import TextJudge
    from jointcore.decisions.transformers.scorer import TransformersScorer

    wording = TextPromptTemplate.load(template)
    scorer = TransformersScorer(entry, max_tokens=None)
    return TextJudge(wording, scorer, DecisionStore(store, scorer.identity))


def _place(checkpoint: str | Path, revision: str | None, *, pinned: bool) -> dict[str, object]:
    """Where a checkpoint is, and what tells it from another one under the same name."""
    from jointcore.hashing import sha256_file

    folder = Path(checkpoint)
    if folder.is_dir():
        if (folder / "checkpoint.json").is_file():
            return {"path": str(folder), "digest_manifest": "checkpoint.json"}
        endings = (".json", ".jinja", ".safetensors", ".model")
        files = [path for path in sorted(folder.iterdir()) if path.name.endswith(endings)] if pinned else []
        return {"path": str(folder), "digests": {path.name: sha256_file(path) for path in files}}
    if str(checkpoint).count("/") != 1 or str(checkpoint).startswith((".", "/", "~")):
        raise InputError(
            f"{checkpoint} is neither a folder nor a Hugging Face repository; give a folder with config.json and "
            "model.safetensors, or owner/name"
        )
    return {"repository": str(checkpoint), "revision": revision or newest_revision(str(checkpoint))}


def newest_revision(repository: str) -> str:
    """The newest commit of a repository at the hub, or the one in the cache where the hub is not reached.

    Raises:
        InputError: the repository is missing or gated, or neither at a hub that is reached nor in the cache.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError, HTTPError

    try:
        return HfApi().model_info(repository, timeout=30).sha
    except HfHubHTTPError as error:
        raise InputError(
            f"the repository {repository} is missing, gated or private; correct its name or log in with 'hf auth login'"
        ) from error
    except (HTTPError, OSError) as error:
        name = f"models--{repository.replace('/', '--')}"
        cached = Path(constants.HF_HUB_CACHE) / name / "refs" / "main"
        if not cached.is_file():
            raise InputError(
                f"the repository {repository} is not in the cache and no hub can be reached; connect or give a folder"
            ) from error
        return cached.read_text(encoding="ascii").strip()
