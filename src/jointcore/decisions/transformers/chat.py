"""Turns a prompt into tokens with a checkpoint's tokenizer and chat template."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import permutations
from pathlib import Path

from jinja2 import TemplateError
from transformers import AutoTokenizer

from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.prompts.template import Prompt
from jointcore.decisions.scoring import ScoringRequest
from jointcore.errors import InputError

#: The date that a chat template is told, so that a prompt does not depend on the day.
TODAY = datetime(2024, 7, 26)
_DIRECTIVES = "aAbBdejmUwyY"


class ChatEncoder:
    """A checkpoint's tokenizer and chat template.

    Args:
        entry: the model.
        folder: its checkpoint.

    Raises:
        InputError: the tokenizer cannot be read or has no chat template.
    """

    def __init__(self, entry: ModelEntry, folder: Path) -> None:
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
        if not self._tokenizer.chat_template:
            raise InputError(f"{self._about} has no chat template; choose an instruct checkpoint")
        self._template = _on_a_fixed_day(self._tokenizer.chat_template)
        self._labels: dict[str, tuple[int, ...]] = {}
        self._offers: dict[tuple[str, ...], tuple[tuple[int, ...], ...]] = {}

    @property
    def padding(self) -> int:
        """A token to fill rows with; its place is never looked at."""
        found = self._tokenizer.pad_token_id
        return 0 if found is None else found

    def encode(self, prompt: Prompt) -> ScoringRequest:
        """The tokens of the rendered chat, up to the generation prompt, and of each label; no special tokens
        are added to either.

        Raises:
            InputError: the chat template refuses the messages, a word is unknown to the tokenizer, or a
                label has no tokens or begins with those of another label.
        """
        try:
            text = self._tokenizer.apply_chat_template(
                list(prompt.messages),
                chat_template=self._template,
                tokenize=False,
                add_generation_prompt=True,
            )
        except (TemplateError, ValueError) as error:
            raise InputError(
                f"{self._about} refuses the prompt ({_first_line(error)}); if its chat template takes no system "
                "message, leave 'system' empty in the prompt template"
            ) from error
        if prompt.labels not in self._offers:
            self._offers[prompt.labels] = self._offer(prompt.labels)
        return ScoringRequest(self._tokens(text), self._offers[prompt.labels])

    def count_tokens(self, text: str) -> int:
        """Tokens of a text.

        Raises:
            InputError: a word is unknown to the tokenizer.
        """
        return len(self._tokens(text))

    def check_labels(self, labels: Iterable[str]) -> None:
        """Check that every label can be encoded.

        Raises:
            InputError: see :meth:`encode`.
        """
        for label in labels:
            self._label(label)

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
        return tokens


def _on_a_fixed_day(template: str) -> str:
    """A chat template whose ``strftime_now`` tells :data:`TODAY`; a time of day is refused."""
    if "strftime_now" not in template:
        return template
    known = "".join(f".replace('%{letter}', '{TODAY.strftime('%' + letter)}')" for letter in _DIRECTIVES)
    refused = "{% if '%' in said %}{{ raise_exception('asks for the time ' + said) }}{% endif %}"
    said = f"{{%- set said = format{known} -%}}{refused}{{{{ said }}}}"
    return f"{{%- macro strftime_now(format) -%}}{said}{{%- endmacro %}}{{{{ '' }}}}{template}"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
