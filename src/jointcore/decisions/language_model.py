"""A language model as judge: renders, encodes, looks up, scores only what is new, keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jointcore.bitsets import members
from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.protocol import Decision, Query
from jointcore.decisions.scoring import Scorer, ScoringRequest, ScoringResult, best
from jointcore.decisions.store.decision_store import DecisionStore, Entry
from jointcore.progress import progress

#: Answers between two writes to the disk: what a killed process has to ask again at most.
CHUNK = 64
#: From so many writes on, one call shows its progress.
LONG = 10


@dataclass(slots=True)
class Counts:
    """What a judge was asked and did.

    Attributes:
        queries: questions, repeated ones included.
        distinct: different questions among them.
        store_hits: different questions whose answer the store had from an earlier run or another process.
        asked: different questions that the scorer was asked.
        invalid: different questions whose answer is invalid.
    """

    queries: int = 0
    distinct: int = 0
    store_hits: int = 0
    asked: int = 0
    invalid: int = 0


@dataclass(frozen=True, slots=True)
class _Asked:
    query: Query
    prompt: Prompt
    request: ScoringRequest


class LanguageModelJudge:
    """Decides with a scorer, whose every answer is kept in a store.

    Two queries are the same question if their prompts and labels have the same tokens.

    Args:
        template: the wording.
        scorer: scores labels.
        store: keeps the answers.
        chunk: how many questions are scored between two writes to the disk.

    Attributes:
        template, scorer: as given.
        counts: what was asked so far.
    """

    def __init__(self, template: PromptTemplate, scorer: Scorer, store: DecisionStore, chunk: int = CHUNK) -> None:
        self.template = template
        self.scorer = scorer
        self._store = store
        self._chunk = chunk
        self._seen: set[str] = set()
        self.counts = Counts()

    def decide(self, queries: Sequence[Query]) -> list[Decision]:
        """A decision for each query, in the order of the queries.

        Raises:
            InputError: a prompt cannot be rendered or encoded, the store cannot be read or written, or the
                scorer cannot go on; answers up to then are kept.
        """
        prompts = [self.template.render(query) for query in queries]
        requests = [self.scorer.encode(prompt) for prompt in prompts]
        keys = [self._store.key(request) for request in requests]
        self._answer(dict(zip(keys, map(_Asked, queries, prompts, requests), strict=True)))
        self.counts.queries += len(keys)
        return [_decision(self._store.get(key), prompt) for key, prompt in zip(keys, prompts, strict=True)]

    def facts(self) -> dict[str, Any]:
        """What the scorer took, what was asked, and the wording, as JSON values."""
        return {
            "model": dict(self.scorer.facts()),
            "counts": asdict(self.counts),
            "prompt_template_sha256": self.template.digest,
        }

    def _answer(self, asked: dict[str, _Asked]) -> None:
        """See that the store holds an answer to each question."""
        if any(self._store.get(key) is None for key in asked):
            self._store.refresh()
        missing = [key for key in asked if self._store.get(key) is None]
        new = asked.keys() - self._seen
        self.counts.distinct += len(new)
        self.counts.store_hits += len(new.difference(missing))
        if missing:
            self._store.prepare()
        chunks = [missing[start : start + self._chunk] for start in range(0, len(missing), self._chunk)]
        if len(chunks) >= LONG:
            chunks = progress(chunks, len(chunks), f"new questions, {self._chunk} at a time")
        for chunk in chunks:
            requests = [asked[key].request for key in chunk]
            if hasattr(self.scorer, "score_each"):
                for number, result in self.scorer.score_each(requests):
                    self._keep(asked, {chunk[number]: result})
            else:
                self._keep(asked, dict(zip(chunk, self.scorer.score(requests), strict=True)))
        self.counts.invalid += sum(self._store.get(key).scores is None for key in new)
        self._seen |= new

    def _keep(self, asked: Mapping[str, _Asked], results: Mapping[str, ScoringResult]) -> None:
        self._store.add(Entry(key, result, _note(asked[key])) for key, result in results.items())
        self.counts.asked += len(results)


def _decision(result: ScoringResult, prompt: Prompt) -> Decision:
    if result.scores is None:
        return Decision(None, reason=result.reason)
    scores = dict(zip(prompt.actions, result.scores, strict=True))
    return Decision(prompt.actions[best(result.scores)], scores)


def _note(asked: _Asked) -> dict[str, Any]:
    query, prompt = asked.query, asked.prompt
    return {
        "paper_task_id": query.question.id,
        "retained": members(query.retained),
        "altered": members(query.altered),
        "interface": query.interface,
        "label_style": query.label_style,
        "workflow_action": query.workflow_action,
        "labels": prompt.labels,
        "actions": prompt.actions,
    }
