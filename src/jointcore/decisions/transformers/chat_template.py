"""A checkpoint's chat template: how it is stored, how messages are given to it, and proof that it says them all.

What a model reads must be what was written. A template that drops a message, ignores that an answer is to come, or
opens a block of thinking before it would be scored all the same, in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from jointcore.decisions.models.entry import ModelEntry
from jointcore.errors import InputError

#: The date that a chat template is told, so that a prompt does not depend on the day.
TODAY = datetime(2024, 7, 26)
_DIRECTIVES = "aAbBdejmUwyY"
#: What opens a block of thinking, and what closes it.
_THINKING = (
    (r"<think>", r"</think>"),
    (r"<thinking>", r"</thinking>"),
    (r"<thought>", r"</thought>"),
    (r"<reasoning>", r"</reasoning>"),
    (r"<seed:think>", r"</seed:think>"),
    (r"\[THINK\]", r"\[/THINK\]"),
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    (r"<\|channel\|?>(analysis|thought|commentary)", r"<\|channel\|>final|<channel\|>"),
)
#: The file in which processors store a template that their tokenizer does not hold.
_OF_A_PROCESSOR = "chat_template.json"

Messages = Sequence[Mapping[str, str]]


class ChatTemplate:
    """A template and what the models file says of its use.

    Args:
        entry: the model.
        tokenizer: its tokenizer.
        folder: its checkpoint.

    Raises:
        InputError: there is no template, or several of which none was chosen.
    """

    def __init__(self, entry: ModelEntry, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
        self._about = f"model {entry.key}: the chat template of {entry.source}"
        self._entry = entry
        self._tokenizer = tokenizer
        self._text = _on_a_fixed_day(self._chosen(_stored(tokenizer, folder)))
        self._checked: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()

    def render(self, messages: Messages, labels: Sequence[str]) -> str:
        """The chat as text, up to the point where an answer begins.

        Every message is looked for in the text; where an answer begins is proved once for every sequence of roles and
        set of labels.

        Raises:
            InputError: the template refuses the messages, drops or changes one, ignores that an answer is to come,
                opens a block of thinking, or puts something between the prompt and the answer.
        """
        text = self._apply(messages, True)
        place = 0
        for message in messages:
            said = message["content"].strip()
            found = text.find(said, place)
            if found < 0:
                raise InputError(
                    f"{self._about} does not carry the {message['role']} message whole ({said[:40]!r} is missing or "
                    "changed); set content to parts (or text) in the models file, or choose another checkpoint"
                )
            place = found + len(said)
        shape = (tuple(message["role"] for message in messages), tuple(labels))
        if shape not in self._checked:
            self._check_end(messages, labels, text)
            self._checked.add(shape)
        return text + self._entry.answer_prefix

    def _check_end(self, messages: Messages, labels: Sequence[str], text: str) -> None:
        """Check that a text ends where an answer begins."""
        before, after = self._apply(messages, False), text + self._entry.answer_prefix
        if not text.startswith(before):
            raise InputError(
                f"{self._about} writes another chat when an answer is to come; choose another checkpoint or template"
            )
        added = after[len(before) :]
        for opens, closes in _THINKING:
            last = max((found.end() for found in re.finditer(opens, added)), default=-1)
            if last >= 0 and not re.search(closes, added[last:]):
                raise InputError(
                    f"{self._about} opens a block of thinking ({added[-40:]!r}) where the answer is scored; configure "
                    "it away with template_arguments (such as enable_thinking: false) or close it with answer_prefix"
                )
        for label in labels:
            try:
                answered = self._apply([*messages, {"role": "assistant", "content": label}], False)
            except InputError:
                answered = ""
            between = answered[len(after) :].lstrip() if answered.startswith(after) else None
            if between is not None and between.startswith(label):
                continue
            if not added:
                raise InputError(
                    f"{self._about} ignores that an answer is to come (add_generation_prompt), so it would be scored "
                    "in the wrong place; give what begins an answer as answer_prefix in the models file"
                )
            if between is not None:
                raise InputError(
                    f"{self._about} puts {between.partition(label)[0][:60]!r} between the prompt and an answer; give "
                    "that as answer_prefix in the models file, or configure it away with template_arguments"
                )

    def _apply(self, messages: Messages, generation: bool) -> str:
        given = [{**message, "content": self._content(message["content"])} for message in messages]
        try:
            return self._tokenizer.apply_chat_template(
                given,
                chat_template=self._text,
                tokenize=False,
                add_generation_prompt=generation,
                **self._entry.template_arguments,
            )
        except (TemplateError, ValueError, TypeError, KeyError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
            raise InputError(
                f"{self._about} refuses the prompt ({reason}); if it takes no system message, leave 'system' empty in "
                "the prompt template; if it wants content in parts, set content to parts in the models file"
            ) from error

    def _content(self, text: str) -> Any:
        return [{"type": "text", "text": text}] if self._entry.content == "parts" else text

    def _chosen(self, stored: str | Mapping[str, str] | None) -> str:
        wanted = self._entry.chat_template
        if not stored:
            raise InputError(
                f"model {self._entry.key}: the tokenizer of {self._entry.source} has no chat template; choose an "
                "instruct checkpoint"
            )
        if isinstance(stored, str):
            if wanted != "default":
                raise InputError(f"{self._about} has no name, so {wanted!r} cannot be chosen; leave chat_template out")
            return stored
        if wanted not in stored:
            raise InputError(
                f"{self._about} is stored under several names, {', '.join(sorted(stored))}, and not as {wanted!r}; "
                "name one of them as chat_template in the models file"
            )
        return stored[wanted]


def template_identity(entry: ModelEntry) -> dict[str, Any]:
    """What the models file says of a chat template, as far as it says anything: a part of a score's identity."""
    defaults = {"template_arguments": {}, "answer_prefix": "", "content": "text", "chat_template": "default"}
    given = {name: getattr(entry, name) for name in defaults}
    return {
        name: dict(value) if isinstance(value, Mapping) else value
        for name, value in given.items()
        if value != defaults[name]
    }


def _stored(tokenizer: PreTrainedTokenizerBase, folder: Path) -> str | Mapping[str, str] | None:
    """The stored template: one, or several by name (a mapping, or a list of names and templates)."""
    found = tokenizer.chat_template
    if not found and (folder / _OF_A_PROCESSOR).is_file():
        try:
            found = json.loads((folder / _OF_A_PROCESSOR).read_text(encoding="utf-8")).get("chat_template")
        except (json.JSONDecodeError, AttributeError, UnicodeDecodeError):
            return None
    if isinstance(found, list):
        return {each["name"]: each["template"] for each in found}
    return found


def _on_a_fixed_day(template: str) -> str:
    """A chat template whose ``strftime_now`` tells :data:`TODAY`; a time of day is refused."""
    if "strftime_now" not in template:
        return template
    known = "".join(f".replace('%{letter}', '{TODAY.strftime('%' + letter)}')" for letter in _DIRECTIVES)
    refused = "{% if '%' in said %}{{ raise_exception('asks for the time ' + said) }}{% endif %}"
    said = f"{{%- set said = format{known} -%}}{refused}{{{{ said }}}}"
    return f"{{%- macro strftime_now(format) -%}}{said}{{%- endmacro %}}{{{{ '' }}}}{template}"
