"""A word-level tokenizer over the closed vocabulary of a prompt template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import PreTokenizer, WhitespaceSplit
from transformers import PreTrainedTokenizerFast

from jointcore.bitsets import full
from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.tasks.families import LARGEST_SUPPORT, SMALLEST_SUPPORT
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell, Grid
from jointcore.tasks.question import Question
from jointcore.tasks.task import TERMINAL

PAD, SYSTEM, USER, ASSISTANT, END = SPECIAL = ("<pad>", "<system>", "<user>", "<assistant>", "<end>")

#: Largest number of records that the words of a vocabulary cover: the study's largest.
LARGEST_COUNT = 64
#: Any seed base will do: only the words matter.
VOCABULARY_SEED_BASE = 1
#: ``<system> … <user> … <assistant>`` and, after the generation prompt, the answer.
CHAT_TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}> {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def vocabulary(template: PromptTemplate, grid: Grid, largest_count: int = LARGEST_COUNT) -> list[str]:
    """Every word that the template's prompts and labels hold, sorted.

    Args:
        template: the prompt template.
        grid: domains, families and horizon labels of the tasks.
        largest_count: largest number of records.

    Raises:
        InputError: a label has several words, or none.
    """
    words: set[str] = set()
    for prompt in map(template.render, _covering_queries(grid, largest_count)):
        for message in prompt.messages:
            words.update(message["content"].split())
        for label in prompt.labels:
            if len(label.split()) != 1:
                raise InputError(
                    f"{template.path}: the label {label!r} is not one word, and the local cohort answers with one; "
                    "choose a label of one word"
                )
            words.add(label)
    return sorted(words)


def word_tokenizer(words: Iterable[str], splits: PreTokenizer | None = None) -> PreTrainedTokenizerFast:
    """A tokenizer that knows these words, split at white space or as given, and the markers of the chat template.

    A word that it does not know is an error: an unknown word would be answered without being read.
    """
    ids = {word: number for number, word in enumerate((*SPECIAL, *words))}
    inner = Tokenizer(WordLevel(ids))
    inner.pre_tokenizer = splits or WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[SYSTEM, USER, ASSISTANT],
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = CHAT_TEMPLATE
    return tokenizer


def _covering_queries(grid: Grid, largest_count: int) -> Iterator[Query]:
    """Questions whose prompts together hold every word: all forms of a question, all domains and horizon labels."""
    sizes = range(SMALLEST_SUPPORT, LARGEST_SUPPORT + 1)
    settings = list(product(grid.domains, grid.horizon_labels))
    everything = full(largest_count)

    def task(number: int, family: str, size: int) -> Question:
        domain, horizon = settings[number % len(settings)]
        return generate_task(Cell(domain, family, largest_count, size, horizon, number), VOCABULARY_SEED_BASE).question

    for number, (family, size) in enumerate(product(grid.families, sizes)):
        asked = task(number, family, size)
        for retained, interface, style in product((0, everything), INTERFACES, LABEL_STYLES):
            yield Query(asked, retained, interface=interface, label_style=style)
    for number, (_, family) in enumerate(product(settings, grid.families)):
        asked = task(number, family, SMALLEST_SUPPORT)
        for style in LABEL_STYLES:
            yield Query(asked, everything, label_style=style)
            for action in TERMINAL:
                yield Query(asked, everything, label_style=style, workflow_action=action)
