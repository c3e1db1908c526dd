"""Tasks, questions and scripted scores for the tests; imports no model library."""

from __future__ import annotations

from jointcore.bitsets import full
from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.protocol import Query
from jointcore.decisions.scoring import ScoringRequest, ScoringResult, checked
from jointcore.errors import InputError
from jointcore.hashing import unit_interval
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell, Grid
from jointcore.tasks.task import TERMINAL, Task
from paths import PROJECT

ALL = full(16)
DEFAULT = PROJECT / "config" / "prompts" / "default.yaml"
TERSE = PROJECT / "config" / "prompts" / "terse.yaml"
MODEL_GRID = Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")


def make_task(family: str = "synergy_and", size: int = 2, domain: str = "orders", block: int = 0) -> Task:
    """A task of the model grid."""
    return generate_task(Cell(domain, family, 16, size, (1, 4, 8, 16)[block], block), 26082901)


def every_form(task: Task, sets: tuple[int, ...]) -> list[Query]:
    """A query for every interface, label style and step."""
    queries = [
        Query(task.question, retained, interface=interface, label_style=style)
        for retained in sets
        for interface in INTERFACES
        for style in LABEL_STYLES
    ]
    return queries + [
        Query(task.question, sets[0], label_style=style, workflow_action=action)
        for style in LABEL_STYLES
        for action in TERMINAL
    ]


def questions() -> list[Query]:
    """Questions in every form about four tasks."""
    tasks = [make_task("threshold", 4, block=block) for block in range(4)]
    return [query for task in tasks for query in every_form(task, (0, 0x0F0F, ALL))]


#: How many of them are different: full memory looks alike under all interfaces, the terminal step has the same
#: words under two of the label styles.
DISTINCT = 4 * (2 * 4 * 3 + 3 + 2 * 2)


class HashScorer:
    """Scores by a hash of the words, a tenth of them invalid; keeps what it was asked.

    Args:
        fail_at: stop with an error rather than answer more questions than this.
    """

    def __init__(self, fail_at: int | None = None) -> None:
        self.identity = {"repository": "tests/hash", "scorer": "version 1"}
        self.asked: list[ScoringRequest] = []
        self._fail_at = fail_at

    def encode(self, prompt):
        """The bytes of the words."""
        text = "\n".join(message["content"] for message in prompt.messages)
        return ScoringRequest(tuple(text.encode()), tuple(tuple(label.encode()) for label in prompt.labels))

    def score(self, requests):
        """A result for each request."""
        if self._fail_at is not None and len(self.asked) + len(requests) > self._fail_at:
            raise InputError("the model stopped")
        self.asked += requests
        return list(map(self.result, requests))

    def result(self, request):
        """The result of a request."""
        if unit_interval("invalid", request) < 0.1:
            return checked([float("nan"), 0.0])
        return ScoringResult(tuple(-unit_interval(request.token_ids, label) for label in request.label_ids))
