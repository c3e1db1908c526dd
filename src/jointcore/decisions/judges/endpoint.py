"""An OpenAI-compatible server as judge: vLLM, llama.cpp, Ollama, TGI, the server of Transformers, hosted ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jointcore.decisions.catalogue import judge
from jointcore.decisions.endpoint.settings import SCHEMA, EndpointSettings
from jointcore.decisions.protocol import Judge
from jointcore.errors import InputError

if TYPE_CHECKING:
    from jointcore.decisions.text_judge import TextJudge

#: Questions that are handed over at once; each answer is kept as it comes, whatever their number.
CHUNK = 256


@judge(name="OpenAI-compatible endpoint", settings=SCHEMA)
def endpoint(
    entry,
    store: Path,
    *,
    url: str,
    served_model: str,
    key_variable: str = "",
    concurrency: int = 4,
    temperature: float | None = 0.0,
    max_tokens: int = 16,
    top_log_probabilities: int = 20,
    timeout_seconds: float = 60.0,
    retries: int = 6,
    longest_wait_seconds: float = 120.0,
    extra_body: Mapping[str, Any] | None = None,
) -> Iterator[Judge]:
    """The server is first asked when there is a question that the store lacks; every answer is kept as it comes.

    The entry's prompt template is one for the benchmark or one for text memories.

    Raises:
        InputError: see :func:`open_endpoint`.
    """
    settings = EndpointSettings(
        url, served_model, key_variable, concurrency, temperature, max_tokens, top_log_probabilities,
        timeout_seconds, retries, longest_wait_seconds, extra_body or {},
    )  # fmt: skip
    with _opened(settings, store, entry.prompt_template) as opened:
        yield opened


def open_endpoint(
    url: str,
    served_model: str,
    answers: tuple[str, ...] = (),
    *,
    store: str | Path | None = None,
    template: str | Path | None = None,
    **settings: Any,
) -> TextJudge:
    """A server as judge of text memories.

    Args:
        url: its address up to ``/v1``.
        served_model: the model's name there.
        answers: the answers that will be offered, to check them now.
        store: folder in which answers are kept and looked up, across processes; ``None`` keeps them in this one.
        template: the wording, see :mod:`jointcore.decisions.prompts.text_template`; this package's by default.
        settings: what else :class:`jointcore.decisions.endpoint.settings.EndpointSettings` has.

    Returns:
        A judge with ``decide(queries)``, ``check(questions)``, ``count_tokens(text)``, ``facts()`` and ``close()``.

    Raises:
        InputError: the package ``openai`` is missing, a setting is wrong, the configured variable holds no key, the
            template is none, or an answer begins another. The server itself is looked at before the first question.
    """
    problems = endpoint.problems({"url": url, "served_model": served_model, **settings}, "endpoint")
    if problems:
        raise InputError("; and ".join(problems))
    opened = _open(EndpointSettings(url, served_model, **settings), store, template)
    if answers:
        opened.check_answers(tuple(answers))
    return opened


@contextmanager
def _opened(settings: EndpointSettings, store: Path, template: str) -> Iterator[TextJudge]:
    opened = _open(settings, store, template)
    try:
        yield opened
    finally:
        opened.close()


def _open(settings: EndpointSettings, store: str | Path | None, template: str | Path | None) -> TextJudge:
    # Here, since a workflow reads the catalogue where the client is not.
    if find_spec("openai") is None:
        raise InputError("an endpoint needs the package openai; install it with: pip install 'jointcore[endpoint]'")
    from jointcore.decisions.endpoint.scorer import EndpointScorer
    from jointcore.decisions.prompts.text_template import load_any
    from jointcore.decisions.store.decision_store import DecisionStore
    from jointcore.decisions.text_judge import TextJudge

    scorer = EndpointScorer(settings)
    return TextJudge(load_any(template), scorer, DecisionStore(store, scorer.identity), CHUNK)
