"""A language model's entry in ``config/models.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Prompt and label together have at most this many tokens (paper, section on the model stage).
MAX_TOKENS = 768
#: Tasks that are advanced side by side where shared beginnings are run once.
IN_FLIGHT = 12


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A checkpoint and how it is run.

    Attributes:
        key: the name in configuration, paths and results.
        kind: names the judge, see :mod:`jointcore.decisions.catalogue`; the keys of a checkpoint are for that kind.
        settings: what a judge of another kind asks for.
        name: the name in tables and figures.
        role: ``registered``, ``exploratory`` or ``local``.
        licence: the licence of the weights.
        precision: ``bfloat16``, ``float32``, ``nf4`` (quantized at load time) or ``nf4_stored``.
        loader: ``causal_lm`` or ``image_text_to_text``.
        prompt_template: the prompt template file.
        gpus: GPUs over which the model is spread; 0 for a CPU.
        mem_mb, runtime_minutes, shards: a job's main memory, time limit, and the number of jobs.
        repository, revision: Hugging Face repository and full commit hash; empty for a local checkpoint.
        path: local folder; empty for a repository.
        digests: SHA-256 by file name of the local folder.
        digest_manifest: JSON file of the local folder that holds them under ``files``; empty for none.
        compute_dtype: type in which NF4 weights are multiplied.
        fix_mistral_regex: corrects the pre-tokenizer of Mistral tokenizers.
        mode: ``deterministic`` or ``fast``, or ``prefix`` or ``prefix_deterministic``, which run shared beginnings
            of prompts once.
        batch_size: largest batch of the modes ``fast`` and ``prefix``.
        cache_mb: memory for the keys and values that the prefix modes keep, in MB; by default a quarter of
            ``mem_mb`` on a CPU, half of what the weights leave free on a GPU.
        tasks_in_flight: tasks that are advanced side by side; by default 12 in the prefix modes, whose kept keys
            and values are to last until a task's next question, and all in the others.
        gpu_memory_gb: memory that each GPU needs, in GB; ``None`` on a CPU.
        threads: CPU threads.
        chat_template: which of several named chat templates is used.
        template_arguments: what the chat template is told besides, such as ``enable_thinking: false``.
        content: form of a message's content, ``text`` or ``parts`` (a list of one part of text).
        answer_prefix: text that stands between the rendered chat and an answer.
    """

    key: str
    name: str
    role: str
    licence: str
    prompt_template: str
    mem_mb: int
    runtime_minutes: int
    shards: int
    precision: str = ""
    loader: str = ""
    gpus: int = 0
    repository: str = ""
    revision: str = ""
    path: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)
    digest_manifest: str = ""
    compute_dtype: str = "bfloat16"
    fix_mistral_regex: bool = False
    mode: str = "deterministic"
    batch_size: int = 32
    cache_mb: int | None = None
    tasks_in_flight: int | None = None
    gpu_memory_gb: float | None = None
    threads: int = 1
    chat_template: str = "default"
    template_arguments: Mapping[str, Any] = field(default_factory=dict)
    content: str = "text"
    answer_prefix: str = ""
    kind: str = "checkpoint"
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_settings(cls, key: str, settings: Mapping[str, Any]) -> ModelEntry:
        """The entry of a key, given what the checked file says under it."""
        return cls(key=key, **settings)

    @property
    def runs_batches(self) -> bool:
        """Whether prompts are run side by side, so that scores depend on their company."""
        return self.mode in ("fast", "prefix")

    @property
    def shares_prefixes(self) -> bool:
        """Whether shared beginnings of prompts are run once."""
        return self.mode.startswith("prefix")

    @property
    def in_flight(self) -> int | None:
        """Tasks that are advanced side by side; ``None`` for all."""
        return self.tasks_in_flight or (IN_FLIGHT if self.shares_prefixes else None)

    @property
    def quantized(self) -> bool:
        """Whether the weights are NF4."""
        return self.precision in ("nf4", "nf4_stored")

    @property
    def device(self) -> str:
        """``cuda`` or ``cpu``."""
        return "cuda" if self.gpus else "cpu"

    @property
    def described_precision(self) -> str:
        """The precision in words that tell all of it."""
        if not self.quantized:
            return self.precision
        when = "at load time" if self.precision == "nf4" else "stored"
        return f"NF4 {when}, double quantization, {self.compute_dtype} compute"

    @property
    def source(self) -> str:
        """Where the checkpoint comes from, for messages."""
        return self.path or f"{self.repository} at {self.revision[:12]}"


def entry_problems(entry: ModelEntry) -> list[str]:
    """What is wrong with an entry beyond its schema, a sentence each; empty for a sound one."""
    problems = []
    if bool(entry.repository) != bool(entry.revision):
        given, lacking = ("repository", "revision") if entry.repository else ("revision", "repository")
        problems.append(f"has {given} but no {lacking}; give both or neither")
    if not entry.repository and not entry.path:
        problems.append("has neither repository nor path; say where the checkpoint is")
    if entry.role != "local" and not entry.repository:
        problems.append(f"has the role {entry.role} but no repository; give its repository and revision")
    if entry.path and not (entry.repository or entry.digests or entry.digest_manifest):
        problems.append("has a path that nothing pins; give digest_manifest, digests, or repository and revision")
    if not entry.path and (entry.digests or entry.digest_manifest):
        problems.append("has digests but no path; a repository is pinned by its revision alone")
    if entry.gpus and entry.gpu_memory_gb is None:
        problems.append("lacks gpu_memory_gb; say how much memory each GPU needs, or set gpus to 0")
    return problems
