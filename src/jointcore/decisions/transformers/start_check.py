"""A check at the start of a run: scores of a few prompts in company and alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from jointcore.decisions.scoring import ScoringRequest, ScoringResult, margin
from jointcore.errors import InputError

#: Prompts that one check scores again.
CHECKED = 4
#: A check is made when so many prompts have been scored: of the first ones, and of some that share what was kept.
AFTER = (CHECKED, 64)

_log = logging.getLogger(__name__)

Scored = tuple[ScoringRequest, ScoringResult]


@dataclass(slots=True)
class Found:
    """What the checks found.

    Attributes:
        prompts: prompts that were scored again.
        largest_score_difference: between their scores in company and alone.
        smallest_margin: by how little one of their decisions was taken.
    """

    prompts: int = 0
    largest_score_difference: float = 0.0
    smallest_margin: float = float("inf")


class StartCheck:
    """Scores a few of the first prompts again, alone and from their first token, and compares.

    Args:
        model: key of the model, for messages.
        alone: scores one prompt alone, from its first token.
        again: where scores are promised to be bitwise independent of their company: scores one prompt in the
            way of the promise, with nothing kept of others.
    """

    def __init__(
        self,
        model: str,
        alone: Callable[[ScoringRequest], ScoringResult],
        again: Callable[[ScoringRequest], ScoringResult] | None = None,
    ) -> None:
        self._model = model
        self._alone = alone
        self._again = again
        self._waiting: list[Scored] = []
        self._seen = 0
        self._due = list(AFTER)
        self._found = Found()

    @property
    def facts(self) -> dict[str, float] | None:
        """What was found so far; ``None`` before the first check."""
        return asdict(self._found) if self._found.prompts else None

    def see(self, requests: Sequence[ScoringRequest], results: Sequence[ScoringResult]) -> None:
        """Look at prompts that were scored in company; makes a check where one is due.

        Raises:
            InputError: see :meth:`compare`.
        """
        if not self._due:
            return
        valid = [pair for pair in zip(requests, results, strict=True) if pair[1].scores is not None]
        self._waiting += valid
        self._seen += len(valid)
        if self._seen >= self._due[0]:
            self._due = [number for number in self._due if number > self._seen]
            self.compare([self._waiting[(2 * i + 1) * len(self._waiting) // (2 * CHECKED)] for i in range(CHECKED)])
            self._waiting.clear()

    def compare(self, scored: Sequence[Scored]) -> None:
        """Score prompts again, alone, and compare.

        Args:
            scored: requests and the valid results that they got in company.

        Raises:
            InputError: a score moves by half the smallest margin, so that a decision could depend on its company;
                where independence is promised, a score is not bitwise the same with nothing kept of others.
        """
        found = self._found
        for request, result in scored:
            alone = self._alone(request)
            difference = max(abs(a - b) for a, b in zip(alone.scores, result.scores, strict=True))
            found.largest_score_difference = max(found.largest_score_difference, difference)
            found.smallest_margin = min(found.smallest_margin, margin(result.scores))
            found.prompts += 1
        _log.info("model %s: %d prompts alone and in company: %s", self._model, found.prompts, self.facts)
        if self._again is not None:
            if any(self._again(request) != result for request, result in scored):
                raise InputError(
                    f"model {self._model}: a prompt's scores differ alone and in company on this machine; "
                    "set mode to deterministic"
                )
        elif 2 * found.largest_score_difference >= found.smallest_margin:
            raise InputError(
                f"model {self._model}: the company of a prompt moves its scores by up to "
                f"{found.largest_score_difference:.2g} while the smallest margin of {found.prompts} prompts is "
                f"{found.smallest_margin:.2g}, so a decision could flip; set mode to deterministic"
            )
