"""One question at a time to a server: what to try again, how long to wait, and what to say when it is no use."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from jointcore.decisions.endpoint.reply import MalformedReplyError, Reply, read_reply
from jointcore.decisions.endpoint.settings import KEY_VARIABLE, NO_KEY, EndpointSettings
from jointcore.errors import InputError
from jointcore.hashing import unit_interval

#: Seconds before the first retry; doubled for each further one.
FIRST_WAIT = 0.5
_AGAIN = (408, 409, 425, 429)
#: What servers say of a prompt that is longer than their context.
_CONTEXT = re.compile(r"context|too long|max(imum)?[_ ]?(input|model|prompt|new)?[_ ]?(len|tokens)", re.IGNORECASE)
_SHOWN = 200
_KEPT = "every answer so far is kept, so run the same command again"

_log = logging.getLogger(__name__)


class PromptRefusedError(Exception):
    """The server says that a prompt is longer than its context; the text says why."""


@dataclass(slots=True)
class Traffic:
    """What was sent and received.

    Attributes:
        requests: questions sent, repeated ones included.
        retries: of these, those that were sent again.
        prompt_tokens, completion_tokens: of the answers, as the server counts them.
    """

    requests: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class EndpointClient:
    """A server, asked from several threads.

    Args:
        settings: how it is asked.

    Attributes:
        traffic: what was sent and received so far.

    Raises:
        InputError: see :meth:`EndpointSettings.key`.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._key = settings.key()
        self._client = openai.OpenAI(
            base_url=settings.url.rstrip("/"),
            api_key=self._key,
            timeout=settings.timeout_seconds,
            max_retries=0,
        )
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._not_before = 0.0
        self._left_out: set[str] = set()
        self._token_limit = "max_tokens"
        self._warned = False
        self.traffic = Traffic()

    def check(self) -> None:
        """Ask the server for its models, which costs nothing.

        Raises:
            InputError: the server cannot be reached, or refuses the key.
        """
        models = self._client.models.with_raw_response
        try:
            try:
                models.list()
            except openai.APIConnectionError:
                self._stopped.wait(FIRST_WAIT)
                models.list()
        except openai.APIConnectionError as error:
            raise InputError(
                f"endpoint {self._settings.url} cannot be reached ({self._clean(_cause(error))}); correct its url or "
                "start the server"
            ) from None
        except openai.APIStatusError as error:
            if error.status_code in (401, 403):
                raise self._refused(error) from None
            # A server without this list may answer all the same.
            _log.info("endpoint %s: no list of models (status %d)", self._settings.url, error.status_code)

    def ask(self, messages: Sequence[dict[str, str]]) -> Reply:
        """The server's reply to a chat, asked again after each fault that may pass.

        Raises:
            PromptRefusedError: the prompt is longer than the server's context.
            InputError: the server refuses the question, or the faults did not pass.
        """
        for attempt in range(self._settings.retries + 1):
            self._wait()
            try:
                reply = self._send(messages, again=attempt > 0)
            except openai.APIStatusError as error:
                fault, pause = self._status(error)
            except (openai.APIError, MalformedReplyError, ValueError) as error:
                fault, pause = self._clean(_cause(error)), None
            else:
                return reply
            if attempt == self._settings.retries:
                break
            backoff = FIRST_WAIT * 2**attempt * (0.5 + unit_interval("back-off", attempt, str(messages)) / 2)
            wait = min(backoff, self._settings.longest_wait_seconds) if pause is None else pause
            if wait > self._settings.longest_wait_seconds:
                raise InputError(
                    f"endpoint {self._settings.url} asks to wait {wait:.0f} s ({fault}), more than "
                    f"longest_wait_seconds; {_KEPT} then"
                )
            _log.warning("endpoint %s: %s; asking again in %.1f s", self._settings.url, fault, wait)
            if pause is not None:
                with self._lock:
                    self._not_before = max(self._not_before, time.monotonic() + pause)
            elif self._stopped.wait(wait):
                break
        raise InputError(
            f"endpoint {self._settings.url} gave no answer in {attempt + 1} tries ({fault}); {_KEPT} when it is up"
        )

    def stop(self) -> None:
        """Let no question be asked again: the answers under way are the last ones, until :meth:`resume`."""
        self._stopped.set()

    def resume(self) -> None:
        """Ask again after :meth:`stop`."""
        self._stopped.clear()

    def _wait(self) -> None:
        """Wait until the server wants to be asked again, whichever thread it told so."""
        while (left := self._not_before - time.monotonic()) > 0:
            if self._stopped.wait(left):
                return

    def _send(self, messages: Sequence[dict[str, str]], *, again: bool) -> Reply:
        """One request; a field that the server says it does not take is left out from then on."""
        with self._lock:
            self.traffic.requests += 1
            self.traffic.retries += again
            fields = {name: value for name, value in self._fields().items() if name not in self._left_out}
        try:
            raw = self._client.chat.completions.with_raw_response.create(messages=list(messages), **fields)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            if self._leave_out(self._said(error), fields):
                return self._send(messages, again=True)
            raise
        reply = read_reply(raw.http_response.json())
        with self._lock:
            self.traffic.prompt_tokens += reply.prompt_tokens
            self.traffic.completion_tokens += reply.completion_tokens
            silent = "logprobs" in fields and not reply.tokens and not self._warned
            self._warned |= silent
        if silent:
            _log.warning("endpoint %s gives no log-probabilities; texts are read instead", self._settings.url)
        return reply

    def _fields(self) -> dict[str, Any]:
        settings = self._settings
        fields: dict[str, Any] = {"model": settings.served_model, self._token_limit: settings.max_tokens}
        if settings.temperature is not None:
            fields["temperature"] = settings.temperature
        if settings.top_log_probabilities:
            fields |= {"logprobs": True, "top_logprobs": settings.top_log_probabilities}
        return fields | ({"extra_body": dict(settings.extra_body)} if settings.extra_body else {})

    def _leave_out(self, said: str, fields: dict[str, Any]) -> bool:
        """Leave out what the server says that it does not take; whether there was something."""
        with self._lock:
            if "logprobs" in said and "logprobs" in fields:
                self._left_out |= {"logprobs", "top_logprobs"}
                _log.warning("endpoint %s refuses log-probabilities; texts are read instead", self._settings.url)
                return True
            if "max_completion_tokens" in said and "max_tokens" in fields:
                self._token_limit = "max_completion_tokens"
                return True
        return False

    def _status(self, error: openai.APIStatusError) -> tuple[str, float | None]:
        """A fault that may pass, and the seconds that the server asks to wait.

        Raises:
            PromptRefusedError, InputError: it will not pass.
        """
        said = self._said(error)
        if error.status_code in (401, 403):
            raise self._refused(error) from None
        if error.status_code == 404:
            raise InputError(
                f"endpoint {self._settings.url} does not know the model {self._settings.served_model} or the path "
                f"({said}); correct served_model or url{self._known_models()}"
            ) from None
        if "insufficient_quota" in said:
            raise InputError(f"endpoint {self._settings.url}: the account has no quota left; {_KEPT} then") from None
        if error.status_code in _AGAIN or error.status_code >= 500:
            return f"status {error.status_code}: {said}", _retry_after(error)
        if error.status_code in (400, 413, 422) and _CONTEXT.search(said):
            raise PromptRefusedError(f"the server refuses the prompt ({said})") from None
        raise InputError(
            f"endpoint {self._settings.url} refuses the question (status {error.status_code}: {said}); correct the "
            "settings of the endpoint"
        ) from None

    def _refused(self, error: openai.APIStatusError) -> InputError:
        variable = self._settings.key_variable or KEY_VARIABLE
        sent = "no key was sent" if self._key == NO_KEY else "the key was sent"
        return InputError(
            f"endpoint {self._settings.url} refuses the key (status {error.status_code}, {sent}); set the environment "
            f"variable {variable} to a valid one"
        )

    def _known_models(self) -> str:
        with suppress(openai.OpenAIError, ValueError, KeyError, TypeError):
            listed = self._client.models.with_raw_response.list().http_response.json()["data"]
            names = sorted(str(model["id"]) for model in listed)[:5]
            return f"; it knows {self._clean(', '.join(names))}" if names else ""
        return ""

    def _said(self, error: openai.APIStatusError) -> str:
        try:
            return self._clean(error.response.text) or type(error).__name__
        except Exception:  # a body that was cut or cannot be decoded
            return type(error).__name__

    def _clean(self, text: str) -> str:
        """A text of the server in one short line, without the key, which a server may repeat."""
        line = " ".join(str(text).split())
        if self._key != NO_KEY:
            line = line.replace(self._key, "[key]")
        return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _cause(error: Exception) -> str:
    """The innermost reason of an error."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds of a Retry-After header, which gives seconds or a date."""
    said = error.response.headers.get("retry-after", "").strip()
    if not said:
        return None
    with suppress(ValueError):
        return max(0.0, float(said))
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    return None
