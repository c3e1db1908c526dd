"""A server as a scorer: answers offered in words, several questions side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict
from typing import Any

from jointcore.decisions.endpoint.answers import check_answers, read_answer
from jointcore.decisions.endpoint.client import EndpointClient, PromptRefusedError
from jointcore.decisions.endpoint.settings import EndpointSettings
from jointcore.decisions.prompts.template import Prompt
from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.hashing import canonical_json


class EndpointScorer:
    """A server that is asked for answers; it is first asked when the first prompt is scored.

    What a local model has as tokens are here the bytes of the messages and of the answers.

    Args:
        settings: how the server is asked.

    Attributes:
        identity: everything but the messages and the answers that a score depends on.

    Raises:
        InputError: see :meth:`EndpointSettings.key`.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._client = EndpointClient(settings)
        self._checked = False
        self._known: set[tuple[str, ...]] = set()
        self.identity: dict[str, Any] = settings.identity()

    def encode(self, prompt: Prompt) -> ScoringRequest:
        """The bytes of a prompt's messages and of its answers.

        Raises:
            InputError: see :func:`jointcore.decisions.endpoint.answers.check_answers`.
        """
        if prompt.labels not in self._known:
            check_answers(prompt.labels)
            self._known.add(prompt.labels)
        messages = canonical_json(list(prompt.messages)).encode()
        return ScoringRequest(tuple(messages), tuple(tuple(label.encode()) for label in prompt.labels))

    def score(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        """A result for each request, in the order of the requests.

        Raises:
            InputError: see :meth:`score_each`.
        """
        results = dict(self.score_each(requests))
        return [results[number] for number in range(len(requests))]

    def score_each(self, requests: Sequence[ScoringRequest]) -> Iterator[tuple[int, ScoringResult]]:
        """Pairs (number of a request, its result), each as soon as it is known.

        When a question fails or the user interrupts, no further one is asked, and the answers under way still come.

        Raises:
            InputError: the server cannot be reached, refuses the key or a question, or gives no answer after all
                retries; after the answers that came.
        """
        if not self._checked:
            self._client.check()
            self._checked = True
        self._client.resume()
        failure: BaseException | None = None
        with ThreadPoolExecutor(self._settings.concurrency) as pool:
            under_way = {pool.submit(self._ask, request): number for number, request in enumerate(requests)}
            while under_way:
                try:
                    done = next(as_completed(under_way))
                    number = under_way.pop(done)
                    if done.cancelled():
                        continue
                    if done.exception() is None:
                        yield number, done.result()
                        continue
                    problem = done.exception()
                except KeyboardInterrupt as interrupt:
                    problem = interrupt
                except GeneratorExit:
                    self._end(under_way)
                    raise
                if failure is None:
                    failure = problem
                    self._end(under_way)
        if failure is not None:
            raise failure

    def facts(self) -> dict[str, Any]:
        """What the runtime record says about the server: how it was asked, what was sent and received."""
        return {**self.identity, **asdict(self._client.traffic)}

    def _end(self, under_way: dict[Future, int]) -> None:
        self._client.stop()
        for future in under_way:
            future.cancel()

    def _ask(self, request: ScoringRequest) -> ScoringResult:
        messages = json.loads(bytes(request.token_ids))
        answers = [bytes(label).decode() for label in request.label_ids]
        try:
            return read_answer(answers, self._client.ask(messages))
        except PromptRefusedError as refusal:
            return ScoringResult(None, str(refusal))
