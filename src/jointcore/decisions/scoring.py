"""The contract of a scorer: prompts in, label scores out (paper, section on label scoring)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from jointcore.decisions.prompts.template import Prompt


class ScoringRequest(NamedTuple):
    """What a scorer is asked.

    Attributes:
        token_ids: the rendered prompt, up to and including the chat template's generation prompt.
        label_ids: the tokens of each label, in the order of the prompt's labels.
    """

    token_ids: tuple[int, ...]
    label_ids: tuple[tuple[int, ...], ...]

    @property
    def length(self) -> int:
        """Tokens of the prompt and its longest label."""
        return len(self.token_ids) + max(map(len, self.label_ids))


class ScoringResult(NamedTuple):
    """What a scorer answers.

    Attributes:
        scores: mean conditional log-probability of each label's tokens, in nats; ``None`` if invalid.
        reason: why the answer is invalid; empty if it is valid.
    """

    scores: tuple[float, ...] | None
    reason: str = ""


class Scorer(Protocol):
    """Whoever scores labels.

    One that is paid by the question offers ``score_each(requests) -> Iterator[tuple[int, ScoringResult]]`` besides:
    the number of a request and its result, each as soon as it is known, so that it is kept whatever happens next.

    Attributes:
        identity: everything but the token ids that an answer depends on, as JSON values.
    """

    identity: Mapping[str, Any]

    def encode(self, prompt: Prompt) -> ScoringRequest:
        """The tokens of a prompt and its labels."""
        ...

    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        """A result for each request, in the order of the requests."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """Model, devices, load time, memory."""
        ...


def best(scores: Sequence[float]) -> int:
    """Position of the largest score; the first one wins a tie."""
    return max(range(len(scores)), key=lambda position: (scores[position], -position))


def margin(scores: Sequence[float]) -> float:
    """By how much the largest score beats the next one."""
    first, second = sorted(scores, reverse=True)[:2]
    return first - second


def checked(scores: Sequence[float]) -> ScoringResult:
    """A result of these scores; invalid if one of them is not a finite number."""
    if all(map(math.isfinite, scores)):
        return ScoringResult(tuple(scores))
    return ScoringResult(None, "the model gave logits that are not finite numbers")
