"""What a router sees of an evidence cluster before anything is generated: eleven features (arXiv 2607.17545)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from jointcore.consolidation.notes import QUESTION_TYPES, Inquiry
from jointcore.consolidation.operators import pack

#: The features, in the order of the columns.
FEATURES = (
    "budget_512",
    "notes",
    "cost_per_budget",
    "fit_fraction",
    "sessions",
    "distance_to_centroid",
    "pairwise_cosine",
    *(f"type_{kind}" for kind in QUESTION_TYPES),
)
#: Hashed bags of words: vectors that need no model and no other text.
_VECTORS = HashingVectorizer(n_features=2**10, alternate_sign=False, norm="l2")


def vectors(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors of texts, shape ``(texts, 1024)``; zero for a text without words."""
    return _VECTORS.transform(texts).toarray()


def similarities(query: str, texts: Sequence[str]) -> list[float]:
    """Cosine of each text with a query, rounded to 8 decimals."""
    found = vectors([query, *texts])
    return [round(float(value), 8) for value in found[1:] @ found[0]]


def shape_features(texts: Sequence[str]) -> tuple[float, float]:
    """Mean squared distance of texts' vectors to their centroid, and their mean cosine in pairs (1 for one text)."""
    found = vectors(texts)
    distance = float(((found - found.mean(axis=0)) ** 2).sum(axis=1).mean())
    count = len(texts)
    if count == 1:
        return distance, 1.0
    total = float((found @ found.T).sum() - (found**2).sum())
    return distance, total / (count * (count - 1))


def features(inquiry: Inquiry, budget: int) -> list[float]:
    """The features of a question's cluster under a budget, in the order of :data:`FEATURES`."""
    cluster = inquiry.cluster
    distance, cosine = shape_features([note.text for note in cluster])
    return [
        budget / 512,
        float(len(cluster)),
        sum(note.cost for note in cluster) / budget,
        len(pack(cluster, budget)) / len(cluster),
        float(len({note.session for note in cluster})),
        distance,
        cosine,
        *(float(inquiry.type == kind) for kind in QUESTION_TYPES),
    ]
