"""What a server's chat completion says: its text, and the log-probabilities of its tokens where it gives them."""

from __future__ import annotations

from typing import Any, NamedTuple


class MalformedReplyError(ValueError):
    """An answer that is no chat completion."""


class Token(NamedTuple):
    """A generated token.

    Attributes:
        text: its bytes.
        log_probability: of the token, in nats.
        alternatives: pairs (bytes, log-probability) of the likeliest tokens in its place, itself among them.
    """

    text: bytes
    log_probability: float
    alternatives: tuple[tuple[bytes, float], ...]


class Reply(NamedTuple):
    """A chat completion.

    Attributes:
        text: the message.
        tokens: its tokens with their log-probabilities; empty where the server gives none.
        prompt_tokens, completion_tokens: as the server counts them; 0 where it does not.
    """

    text: str
    tokens: tuple[Token, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


def read_reply(document: Any) -> Reply:
    """The reply in a JSON document.

    Raises:
        MalformedReplyError: the document is no chat completion.
    """
    try:
        choice = document["choices"][0]
        text = choice["message"].get("content") or ""
        listed = (choice.get("logprobs") or {}).get("content") or ()
        tokens = tuple(map(_token, listed))
        usage = document.get("usage") or {}
        counts = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise MalformedReplyError(f"no chat completion ({type(error).__name__}: {error})") from error
    if not isinstance(text, str):
        raise MalformedReplyError("no chat completion (its message is no text)")
    return Reply(text, tokens, *counts)


def _token(entry: dict[str, Any]) -> Token:
    alternatives = tuple((_bytes(other), float(other["logprob"])) for other in entry.get("top_logprobs") or ())
    return Token(_bytes(entry), float(entry["logprob"]), alternatives)


def _bytes(entry: dict[str, Any]) -> bytes:
    """A token's bytes; the text alone does not hold a part of a character."""
    return bytes(entry["bytes"]) if entry.get("bytes") else entry["token"].encode()
