"""A language model as judge of text memories: any number of answers, no prompt cut, checked before it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from jointcore.decisions.language_model import LanguageModelJudge
from jointcore.decisions.prompts.template import Prompt
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.tasks.question import Question


class TextJudge(LanguageModelJudge):
    """Decides questions about text memories; see :class:`LanguageModelJudge` for the arguments."""

    def check(self, questions: Sequence[Question]) -> None:
        """Check all that can be known without asking: the answers, the words, and the length of full memory.

        Raises:
            InputError: an answer cannot be told from another, a prompt cannot be rendered or encoded, or full memory
                makes a prompt that is longer than the model's context.
        """
        limit = getattr(self.scorer, "limit", None)
        for question in questions:
            request = self.scorer.encode(self.template.render(Query(question, question.everything)))
            if limit is not None and request.length > limit:
                raise InputError(
                    f"question {question.id}: with its {len(question.records)} memories the prompt and an answer have "
                    f"{request.length} tokens, more than the model's {limit}; leave memories out, or choose a model "
                    "with a longer context"
                )

    def check_answers(self, answers: tuple[str, ...]) -> None:
        """Check that answers can be told apart, before there is a question.

        Raises:
            InputError: fewer than two are given, or one cannot be told from another.
        """
        if len(answers) < 2:
            raise InputError(f"{len(answers)} answers are offered; offer at least two")
        self.scorer.encode(Prompt(({"role": "user", "content": answers[0]},), answers, answers))

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, by the model's tokenizer; its words where there is none at hand."""
        count = getattr(self.scorer, "count_tokens", None)
        return len(text.split()) if count is None else count(text)

    def close(self) -> None:
        """Close the store."""
        self._store.close()
