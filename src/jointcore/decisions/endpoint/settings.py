"""How a server is asked, and what of that a configuration may say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from jointcore.errors import InputError

#: The variable that holds the key where none is configured; it may be missing then.
KEY_VARIABLE = "OPENAI_API_KEY"
#: What is sent where there is no key; servers that want one refuse it.
NO_KEY = "none"

_TEXT = {"type": "string", "minLength": 1}
_COUNT = {"type": "integer", "minimum": 1}
#: JSON schema of every setting, by name.
SCHEMA: dict[str, dict[str, Any]] = {
    "url": {**_TEXT, "pattern": "^https?://", "description": "The server's address up to /v1, http://host:port/v1."},
    "served_model": {**_TEXT, "description": "The model's name at the server."},
    "key_variable": {**_TEXT, "description": "The name of the environment variable that holds the key."},
    "concurrency": {**_COUNT, "description": "The number of questions that are asked side by side."},
    "temperature": {"type": ["number", "null"], "minimum": 0, "description": "A temperature from 0 on, null for none."},
    "max_tokens": {**_COUNT, "description": "The number of tokens that an answer may have."},
    "top_log_probabilities": {
        "type": "integer",
        "minimum": 0,
        "maximum": 20,
        "description": "How many log-probabilities a token are asked for, at most 20; 0 for none.",
    },
    "timeout_seconds": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds of silence before a retry."},
    "retries": {"type": "integer", "minimum": 0, "description": "The number of times that a question is asked again."},
    "longest_wait_seconds": {"type": "number", "minimum": 0, "description": "Seconds between two tries at most."},
    "extra_body": {"type": "object", "description": "A mapping of further fields of every request."},
}


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """How a server is asked.

    Attributes:
        url: its address up to ``/v1``.
        served_model: the model's name there.
        key_variable: the environment variable that holds the key; by default :data:`KEY_VARIABLE`, if it is set.
        concurrency: questions that are asked side by side.
        temperature: of the sampling; ``None`` sends none.
        max_tokens: tokens of an answer at most.
        top_log_probabilities: log-probabilities that are asked for, for each token; 0 for none.
        timeout_seconds: silence after which a question is asked again.
        retries: how often one question is asked again, after a fault of the server or the connection.
        longest_wait_seconds: wait between two tries at most; a server that asks for more ends the run.
        extra_body: further fields of every request, such as ``chat_template_kwargs``.
    """

    url: str
    served_model: str
    key_variable: str = ""
    concurrency: int = 4
    temperature: float | None = 0.0
    max_tokens: int = 16
    top_log_probabilities: int = 20
    timeout_seconds: float = 60.0
    retries: int = 6
    longest_wait_seconds: float = 120.0
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def key(self) -> str:
        """The key, :data:`NO_KEY` where there is none.

        Raises:
            InputError: the configured variable is not set, or the address itself holds a name or password.
        """
        address = urlsplit(self.url)
        if address.username is not None or address.password is not None:
            raise InputError(
                "the endpoint's url holds a name or password; take it out and give the key in the environment variable "
                f"{self.key_variable or KEY_VARIABLE}"
            )
        found = os.environ.get(self.key_variable or KEY_VARIABLE, "").strip()
        if self.key_variable and not found:
            raise InputError(f"the environment variable {self.key_variable} is not set; set it to the endpoint's key")
        return found or NO_KEY

    def identity(self) -> dict[str, Any]:
        """Everything but the question that an answer depends on; no key."""
        return {
            "scorer": "endpoint answer, version 1",
            "url": self.url.rstrip("/"),
            "served_model": self.served_model,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "top_log_probabilities": self.top_log_probabilities,
            "extra_body": dict(self.extra_body),
        }
