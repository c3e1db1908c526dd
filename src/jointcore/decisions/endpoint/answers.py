"""Which of the offered answers a server's reply gives.

**By log-probability**, where the server lists the likeliest tokens: an answer's score is the log-probability of the
tokens up to the first one that tells it from the other answers, summed over the ways to write that token (with a
blank before it, in other case). An answer that is not among the listed tokens scores just below all that are, so
that a margin is then a lower bound. **By text** elsewhere: the message is one of the answers, whatever its case and
what quotes or full stop surround it, or begins with one that a punctuation mark or a line end follows; the answer
scores 1 and the others 0. Anything else is an invalid decision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from jointcore.decisions.endpoint.reply import Reply
from jointcore.decisions.scoring import ScoringResult
from jointcore.errors import InputError

_AROUND = " \t\r\n\"'`*.!"
_BEHIND = b" .,:;!\r\n\t\"'*"
_SHOWN = 60


def check_answers(answers: Sequence[str]) -> None:
    """Check that answers can be told apart by their beginnings.

    Raises:
        InputError: there are fewer than two, one is empty, or one begins another whatever their case.
    """
    if len(answers) < 2:
        raise InputError(f"a question offers {len(answers)} answers; offer at least two")
    plain = [_plain(answer) for answer in answers]
    for answer, text in zip(answers, plain, strict=True):
        if not text:
            raise InputError(f"the answer {answer!r} holds no word; offer another")
        for other, longer in zip(answers, plain, strict=True):
            if other is not answer and longer.startswith(text):
                raise InputError(
                    f"the answer {answer!r} begins the answer {other!r}, so a server's reply cannot tell them apart; "
                    "word one of them otherwise"
                )


def read_answer(answers: Sequence[str], reply: Reply) -> ScoringResult:
    """The scores of the offered answers; invalid if the reply gives none of them."""
    scores = by_log_probability(answers, reply)
    if scores is not None:
        return ScoringResult(scores)
    chosen = by_text(answers, reply.text)
    if chosen is None:
        said = reply.text.strip()
        shown = said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
        return ScoringResult(None, f"the reply {shown!r} is none of {', '.join(answers)}")
    return ScoringResult(tuple(float(number == chosen) for number in range(len(answers))))


def by_text(answers: Sequence[str], text: str) -> int | None:
    """Number of the answer that a text gives, ``None`` if it gives none."""
    said = text.strip(_AROUND).lower()
    for number, answer in enumerate(answers):
        if re.match(re.escape(_plain(answer)) + r"(?:[\"'`*]*(?:$|[.,:;!\n]))", said):
            return number
    return None


def by_log_probability(answers: Sequence[str], reply: Reply) -> tuple[float, ...] | None:
    """Scores of the answers from the listed tokens, ``None`` if none of them is listed.

    Tokens that are not those of the message, such as those of a hidden thought before it, are not looked at.
    """
    written = b"".join(token.text for token in reply.tokens).decode(errors="replace").strip()
    message = reply.text.strip()
    if not (written.startswith(message) or message.startswith(written)):
        return None
    labels = [_plain(answer).encode() for answer in answers]
    alive = set(range(len(labels)))
    scores: dict[int, float] = {}
    said, path, lowest = b"", 0.0, math.inf
    for token in reply.tokens:
        for text, log_probability in token.alternatives:
            lowest = min(lowest, path + log_probability)
            meant = [number for number in alive if _begins(labels[number], _follow(said, text))]
            if len(meant) == 1:
                known = scores.get(meant[0], -math.inf)
                scores[meant[0]] = _log_sum(known, path + log_probability)
        said, path = _follow(said, token.text), path + token.log_probability
        alive = {number for number in alive if labels[number].startswith(said)}
        if len(alive) < 2:
            break
    if not scores or not all(map(math.isfinite, scores.values())):
        return None
    below = math.nextafter(min(lowest, *scores.values()), -math.inf)
    return tuple(scores.get(number, below) for number in range(len(labels)))


def _plain(answer: str) -> str:
    return answer.strip(_AROUND).lower()


def _follow(said: bytes, text: bytes) -> bytes:
    """What is said after a further token, without blanks at its start."""
    return (said + text).lstrip().lower()


def _begins(label: bytes, said: bytes) -> bool:
    """Whether what is said is a beginning of a label, or a label with a mark or blank behind it."""
    if not said:
        return False
    return label.startswith(said) or (
        said.startswith(label) and said[len(label) : len(label) + 1] in b" .,:;!\r\n\t\"'*"
    )


def _log_sum(first: float, second: float) -> float:
    high, low = max(first, second), min(first, second)
    return high + math.log1p(math.exp(low - high)) if math.isfinite(low) else high
