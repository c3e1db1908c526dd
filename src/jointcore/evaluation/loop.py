"""Runs a selection method on a question with a judge: the one loop of every stage."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jointcore.decisions.protocol import Decision, Judge, Query, Verdict
from jointcore.evaluation.driver import Driven, Trace, drive, drive_lockstep
from jointcore.logic.oracle import Oracle
from jointcore.progress import progress
from jointcore.selection.method import TRUTH, Method
from jointcore.selection.protocol import Answer, Probe
from jointcore.tasks.memory import Memory
from jointcore.tasks.question import Question

_log = logging.getLogger(__name__)


class Run(NamedTuple):
    """What a method did on one question.

    Attributes:
        question: the question.
        method: the method.
        trace: what the search asked, was told and selected.
        decisions: the decision behind each answer of the trace.
        reference: the decision on full memory.
        final: the decision on the selected set.
    """

    question: Question
    method: Method
    trace: Trace
    decisions: list[Decision]
    reference: Decision
    final: Decision

    @property
    def retained(self) -> int:
        """The selected set."""
        return self.trace.selection.retained


def same_decision(decision: Decision, reference: Decision) -> bool:
    """Whether a decision equals the reference; an invalid one, or any against an invalid reference, does not."""
    return decision.action is not None and decision.action == reference.action


#: Answers about decisions that come again and again, such as the rule's; what is here keeps its decisions alive, so
#: that nothing else can have their identity.
_FREQUENT: dict[tuple[int, int], tuple[Answer, Decision, Decision]] = {}


def _answer(decision: Decision, reference: Decision) -> Answer:
    key = id(decision), id(reference)
    found = _FREQUENT.get(key)
    if found is None:
        found = Answer(same_decision(decision, reference), decision.margin(reference.action)), decision, reference
        if len(_FREQUENT) < 64:
            _FREQUENT[key] = found
    return found[0]


def _answers(decide: Verdict, reference: Decision, kept: list[Decision]) -> Callable[[Sequence[Probe]], list[Answer]]:
    """What a search is told about its probes, given the decision on full memory; the decisions are kept."""
    # By a decision's own identity: the rule decides with a few objects, and all are kept.
    known: dict[int, Answer] = {}

    def answers(probes: Sequence[Probe]) -> list[Answer]:
        decisions, told = decide(probes), []
        kept.extend(decisions)
        for decision in decisions:
            answer = known.get(id(decision))
            if answer is None:
                answer = known[id(decision)] = _answer(decision, reference)
            told.append(answer)
        return told

    return answers


def _opened(judge: Judge, question: Question) -> Verdict:
    """Decides probes of one question, by the judge's own short way if it has one."""
    if hasattr(judge, "open"):
        return judge.open(question)
    return lambda probes: judge.decide([Query(question, retained, altered) for retained, _, altered in probes])


def start(
    method: Method, question: Question, settings: Mapping[str, Any], truth: Oracle | None, memory: Memory | None = None
) -> Driven:
    """A method's search on a question.

    Args:
        method: the method.
        question: the question.
        settings: the settings that the methods use, see :data:`jointcore.selection.method.SETTINGS`.
        truth: what is true of the question, for the oracle alone.
        memory: what the search sees, if it is not the question's own.
    """
    memory = memory or question.memory
    known = {} if truth is None else {TRUTH: truth.minimum_cost_sets}
    return Driven(method.start(memory, {**settings, **known}), method.slug, memory.everything)


def run_method(
    method: Method,
    question: Question,
    judge: Judge,
    settings: Mapping[str, Any],
    truth: Oracle | None = None,
    memory: Memory | None = None,
) -> Run:
    """Run a method on one question; see :func:`start` for the arguments. Full memory is the reference."""
    decide = _opened(judge, question)
    (reference,) = decide([(question.everything, 0, 0)])
    kept: list[Decision] = []
    trace = drive(start(method, question, settings, truth, memory), _answers(decide, reference, kept))
    (final,) = decide([(trace.selection.retained, 0, 0)])
    return Run(question, method, trace, kept, reference, final)


def run_side_by_side(
    methods: Sequence[Method],
    questions: Sequence[Question],
    judge: Judge,
    settings: Mapping[str, Any],
    truths: Sequence[Oracle | None],
    *,
    in_flight: int | None = None,
) -> list[Run]:
    """Run every method on every question, all searches at once, so that the judge sees as many queries as there are.

    The runs are those of :func:`run_method`, by question and by method within a question. A question that several
    methods ask is asked as often: put the judge behind a :class:`jointcore.evaluation.answers.DecisionMemo`.

    Args:
        methods, questions, judge, settings: who asks what, see :func:`start`.
        truths: what is true of each question; ``None`` where it is not known.
        in_flight: questions that are in lockstep at once, so that what a judge keeps of one question's prompts is
            there for the next; all by default.
    """
    size = in_flight or len(questions) or 1
    groups = [range(first, min(first + size, len(questions))) for first in range(0, len(questions), size)]
    runs = []
    for group in progress(groups, len(groups), "groups of questions") if len(groups) > 1 else groups:
        runs += _run_group(methods, [(questions[i], truths[i]) for i in group], judge, settings)
    return runs


def _run_group(
    methods: Sequence[Method],
    asked: Sequence[tuple[Question, Oracle | None]],
    judge: Judge,
    settings: Mapping[str, Any],
) -> list[Run]:
    references = judge.decide([Query(question, question.everything) for question, _ in asked])
    jobs = [
        (method, question, truth, reference)
        for (question, truth), reference in zip(asked, references, strict=True)
        for method in methods
    ]
    kept: list[list[Decision]] = [[] for _ in jobs]
    waves = 0

    def answers(probes: list[tuple[int, Probe]]) -> list[Answer]:
        nonlocal waves
        waves += 1
        _log.info("wave %d: %d questions of %d searches", waves, len(probes), len({i for i, _ in probes}))
        decisions = judge.decide([Query(jobs[i][1], probe.retained, probe.altered) for i, probe in probes])
        for (i, _), decision in zip(probes, decisions, strict=True):
            kept[i].append(decision)
        return [_answer(decision, jobs[i][3]) for (i, _), decision in zip(probes, decisions, strict=True)]

    searches = [start(method, question, settings, truth) for method, question, truth, _ in jobs]
    traces = drive_lockstep(searches, answers)
    finals = judge.decide([Query(job[1], trace.selection.retained) for job, trace in zip(jobs, traces, strict=True)])
    return [
        Run(question, method, trace, decisions, reference, final)
        for (method, question, _, reference), trace, decisions, final in zip(jobs, traces, kept, finals, strict=True)
    ]
