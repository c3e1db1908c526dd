"""Turns a prompt into tokens with a checkpoint's tokenizer and chat template."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from pathlib import Path

from transformers import AutoTokenizer

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.prompts.template import Prompt
from jointcore.decisions.scoring import ScoringRequest
from jointcore.decisions.transformers.chat_template import ChatTemplate
from jointcore.errors import InputError


class ChatEncoder:
    """A checkpoint's tokenizer and chat template.

    Args:
        entry: the model.
        folder: its checkpoint.
        rows: the number of token ids that the model has; unknown by default.

    Raises:
        InputError: the tokenizer cannot be read or has no chat template.
    """

    def __init__(self, entry: ModelEntry, folder: Path, rows: int | None = None) -> None:
        self._about = f"model {entry.key}: the tokenizer of {entry.source}"
        extra = {"fix_mistral_regex": True} if entry.fix_mistral_regex else {}
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, **extra
            )
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise InputError(
                f"{self._about} cannot be read ({_first_line(error)}); choose a complete checkpoint"
            ) from error
        self._template = ChatTemplate(entry, self._tokenizer, folder)
        self._rows = rows
        self._labels: dict[str, tuple[int, ...]] = {}
        self._offers: dict[tuple[str, ...], tuple[tuple[int, ...], ...]] = {}

    @property
    def padding(self) -> int:
        """A token to fill rows with; its place is never looked at."""
        found = self._tokenizer.pad_token_id
        return 0 if found is None or (self._rows is not None and found >= self._rows) else found

    def encode(self, prompt: Prompt) -> ScoringRequest:
        """The tokens of the rendered chat, up to the generation prompt, and of each label; no special tokens
        are added to either.

        Raises:
            InputError: the chat template does not carry the messages as they are (see :class:`ChatTemplate`), a word is
                unknown to the tokenizer or the model, or a label has no tokens or begins with those of another label.
        """
        if prompt.labels not in self._offers:
            self._offers[prompt.labels] = self._offer(prompt.labels)
        text = self._template.render(prompt.messages, prompt.labels)
        return ScoringRequest(self._tokens(text), self._offers[prompt.labels])

    def count_tokens(self, text: str) -> int:
        """Tokens of a text.

        Raises:
            InputError: a word is unknown to the tokenizer.
        """
        return len(self._tokens(text))

    def check(self, prompts: Iterable[Prompt]) -> None:
        """Check that prompts can be rendered and their labels encoded.

        Raises:
            InputError: see :meth:`encode`.
        """
        for prompt in prompts:
            self._offer(prompt.labels)
            self._template.render(prompt.messages, prompt.labels)

    def _offer(self, labels: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """The tokens of labels that are offered together."""
        offered = tuple(map(self._label, labels))
        if len(set(offered)) < len(offered):
            raise InputError(f"{self._about} gives the labels {', '.join(labels)} the same tokens; choose others")
        for (label, tokens), (other, longer) in permutations(zip(labels, offered, strict=True), 2):
            if longer[: len(tokens)] == tokens:
                raise InputError(
                    f"{self._about} begins the label {other!r} with all tokens of {label!r}, so that their scores "
                    "cannot be compared; word one of them otherwise"
                )
        return offered

    def _label(self, label: str) -> tuple[int, ...]:
        if label not in self._labels:
            self._labels[label] = self._tokens(label)
        if not self._labels[label]:
            raise InputError(f"{self._about} turns the label {label!r} into no tokens; choose another label")
        return self._labels[label]

    def _tokens(self, text: str) -> tuple[int, ...]:
        remedy = "use the prompt template that the model was made for"
        try:
            tokens = tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        except Exception as error:  # the tokenizers library raises bare exceptions
            raise InputError(f"{self._about} cannot encode {text[:40]!r} ({_first_line(error)}); {remedy}") from error
        unknown = self._tokenizer.unk_token_id
        if unknown is not None and unknown in tokens and self._tokenizer.unk_token not in text:
            raise InputError(f"{self._about} does not know every word of {text[:40]!r}; {remedy}")
        if self._rows is not None and tokens and max(tokens) >= self._rows:
            raise InputError(
                f"{self._about} uses the token {max(tokens)}, but the model has rows for {self._rows} only; use the "
                "tokenizer that the model was made with"
            )
        return tokens


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
