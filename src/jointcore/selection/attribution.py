"""Context attribution: weights of records from decisions on parts of a memory, then the fewest by weight.

Every such method ends alike: records by weight (ties: more relevant first), the smallest prefix that is decided like
full memory. A set is decided once, whoever asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from typing import Any

import numpy as np

from jointcore.bitsets import bitset
from jointcore.hashing import stable_rng
from jointcore.selection.protocol import Answer, Memory, Probe, Search, Selection

#: Penalty of the Lasso, the default of the authors' package (context-cite 0.0.4).
ALPHA = 0.01
#: Weight of the empty and the full set in KernelSHAP, in place of the infinite one of its kernel.
CERTAIN = 1e6

Asking = Generator[Sequence[Probe], Sequence[Answer], Any]


def ask_all(memory: Memory, known: dict[int, Answer], sets: Iterable[int]) -> Asking:
    """The margins of some retained sets, in order; asks those that are not known, all at once.

    A margin that is not finite, as of an invalid decision, counts as the least finite one of all known (-1 if none is).

    Args:
        memory: the memory.
        known: the answers so far by retained set, in the order in which they were asked; grows.
        sets: retained sets; may repeat.
    """
    wanted = list(sets)
    unknown = [kept for kept in dict.fromkeys(wanted) if kept not in known]
    if unknown:
        answers = yield [Probe(kept, memory.everything & ~kept) for kept in unknown]
        known.update(zip(unknown, answers, strict=True))
    finite = [answer.margin for answer in known.values() if math.isfinite(answer.margin)]
    least = min(finite, default=-1.0)
    return [known[kept].margin if math.isfinite(known[kept].margin) else least for kept in wanted]


def smallest_prefix(
    memory: Memory, known: dict[int, Answer], weights: Sequence[Any], empty_set_fails: bool = False
) -> Search:
    """The smallest prefix of the records by weight that is decided like full memory; all of them if none is.

    Args:
        memory: the memory.
        known: the answers so far, see :func:`ask_all`.
        weights: a weight for each record; larger comes first.
        empty_set_fails: the empty set is known not to keep the decision.
    """
    order = sorted(range(memory.count), key=lambda i: (weights[i], memory.relevance[i], -i), reverse=True)
    for size in range(int(empty_set_fails), memory.count):
        kept = bitset(order[:size])
        yield from ask_all(memory, known, [kept])
        if known[kept].same:
            return Selection(kept, drops=((len(known) - 1, memory.everything & ~kept),))
    return Selection(memory.everything, drops=())


def masks_of(memory: Memory, sets: Sequence[int]) -> np.ndarray:
    """Retained sets as a matrix of 0 and 1: a row a set, a column a record."""
    return np.array([[kept >> i & 1 for i in range(memory.count)] for kept in sets], dtype=np.float32)


def context_cite(memory: Memory, ablations: int, empty_set_fails: bool) -> Search:
    """ContextCite (Cohen-Wang et al. 2024): a sparse linear model of the margin over random subsets of the records.

    Args:
        memory: the memory.
        ablations: number of subsets; each record is retained with probability 1/2.
        empty_set_fails: see :func:`smallest_prefix`.
    """
    if not memory.count:
        return Selection(0)
    random, known = stable_rng(memory.id, "context_cite"), {}
    sets = [random.getrandbits(memory.count) for _ in range(ablations)]
    margins = yield from ask_all(memory, known, sets)
    return (yield from smallest_prefix(memory, known, lasso_weights(masks_of(memory, sets), margins), empty_set_fails))


def lasso_weights(masks: np.ndarray, outputs: Sequence[float]) -> np.ndarray:
    """Weight of every column in a Lasso on standardised masks, on the masks' own scale, as context-cite fits it.

    Args:
        masks: shape (ablations, records), 0 or 1.
        outputs: what is explained, one an ablation.
    """
    # Here, not above: every start of the workflow reads all methods, and scikit-learn takes a second.
    from sklearn.linear_model import Lasso
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), Lasso(alpha=ALPHA, random_state=0))
    model.fit(masks, np.asarray(outputs, dtype=float))
    return model[-1].coef_ / model[0].scale_


def kernel_shap(memory: Memory, evaluations: int, empty_set_fails: bool) -> Search:
    """KernelSHAP (Lundberg and Lee 2017): Shapley values by a linear regression over sets drawn by the Shapley kernel.

    Args:
        memory: the memory.
        evaluations: number of sets, the empty and the full one among them.
        empty_set_fails: see :func:`smallest_prefix`.
    """
    if not memory.count:
        return Selection(0)
    from sklearn.linear_model import LinearRegression

    random, known, count = stable_rng(memory.id, "kernel_shap"), {}, memory.count
    sizes = range(1, count)
    chances = [1 / (size * (count - size)) for size in sizes]
    sets = [0, memory.everything]
    for size in random.choices(sizes, chances, k=evaluations - 2) if sizes else ():
        order = list(range(count))
        random.shuffle(order)
        sets.append(bitset(order[:size]))
    margins = yield from ask_all(memory, known, sets)
    trust = [CERTAIN, CERTAIN] + [1.0] * (len(sets) - 2)
    values = LinearRegression().fit(masks_of(memory, sets), margins, sample_weight=trust).coef_
    return (yield from smallest_prefix(memory, known, values, empty_set_fails))


def sampled_shapley(memory: Memory, permutations: int, empty_set_fails: bool) -> Search:
    """Shapley values as mean gains over random orders of the records (Castro, Gomez and Tejada 2009).

    Args:
        memory: the memory.
        permutations: number of orders; each takes n decisions at most, shared sets are decided once.
        empty_set_fails: see :func:`smallest_prefix`.
    """
    random, known, gains = stable_rng(memory.id, "sampled_shapley"), {}, [0.0] * memory.count
    orders = [list(range(memory.count)) for _ in range(permutations)]
    for order in orders:
        random.shuffle(order)
    paths = [[bitset(order[:size]) for size in range(memory.count + 1)] for order in orders]
    margins = iter((yield from ask_all(memory, known, [kept for path in paths for kept in path])))
    for order in orders:
        before = next(margins)
        for record in order:
            after = next(margins)
            gains[record] += after - before
            before = after
    return (yield from smallest_prefix(memory, known, gains, empty_set_fails))
