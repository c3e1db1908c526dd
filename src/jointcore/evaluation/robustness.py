"""Robustness: selected sets, decided again through other interfaces and label styles (paper, section on robustness)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from jointcore.decisions.prompts.interfaces import COMPARED_INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.protocol import Decision, Judge
from jointcore.errors import InputError
from jointcore.evaluation.answers import Reading, decide_terminals, shown, workflow_query
from jointcore.evaluation.loop import same_decision
from jointcore.evaluation.model_measures import decided_right, succeeded
from jointcore.evaluation.model_stage import Outcome
from jointcore.logic.oracle import Oracle, truth_of
from jointcore.tasks.task import Task


class SelectedSet(NamedTuple):
    """A set that a method selected in the primary run.

    Attributes:
        index, task: the task and its position in the grid.
        method: slug of the method.
        retained: the set.
        action: the action that the primary run decided on it; ``None`` if that decision is invalid.
    """

    index: int
    task: Task
    method: str
    retained: int
    action: str | None


class Redecision(NamedTuple):
    """A selected set in one cell of interface and label style.

    Attributes:
        selected: the set.
        reading: the cell.
        reference: the decision on full memory in the same label style.
        final: the decision on the set; in the full archive, on full memory.
        terminal: the terminal step after it; ``None`` after an invalid decision.
        agrees_with_primary: the action is the primary run's; an invalid decision agrees with nothing.
        behavioral_sufficiency: the decision equals the reference.
        final_decision_correct: the decision is what the rule says for the set (in the full archive, for full
            memory), whatever an omitted record shows instead.
        trajectory_success: that decision and the terminal step are correct.
    """

    selected: SelectedSet
    reading: Reading
    reference: Decision
    final: Decision
    terminal: Decision | None
    agrees_with_primary: bool
    behavioral_sufficiency: bool
    final_decision_correct: bool | None
    trajectory_success: bool | None

    @property
    def invalid(self) -> list[Decision]:
        """The invalid ones among the decision and its terminal step."""
        return [d for d in (self.final, self.terminal) if d is not None and not d.valid]


def full_cross(interfaces: Sequence[str], label_styles: Sequence[str]) -> list[Reading]:
    """Every interface with every label style, in the order of the rows (the study: 5 × 3).

    Raises:
        InputError: an unknown interface or label style.
    """
    for kind, given, known in (
        ("interface", interfaces, COMPARED_INTERFACES),
        ("label style", label_styles, LABEL_STYLES),
    ):
        unknown = [name for name in given if name not in known]
        if unknown:
            raise InputError(f"{kind} {unknown[0]!r} is unknown; choose from {', '.join(known)}")
    return [Reading(*cell) for cell in product(interfaces, label_styles)]


def check_methods(wanted: Iterable[str], present: Collection[str]) -> None:
    """Check that the primary run includes the methods whose sets are to be decided again.

    Raises:
        InputError: it lacks one.
    """
    for method in wanted:
        if method not in present:
            raise InputError(
                f"robustness needs the sets of {method}, which the primary run does not include; add it to the methods "
                "of the model stage or remove it from those of robustness"
            )


def selected_sets(outcomes: Iterable[Outcome], methods: Sequence[str], task_ids: Collection[str]) -> list[SelectedSet]:
    """The sets that these methods selected on these tasks, in the order of the outcomes.

    Raises:
        InputError: a method is not among the outcomes.
    """
    outcomes = list(outcomes)
    check_methods(methods, {outcome.run.method.slug for outcome in outcomes})
    return [
        SelectedSet(o.index, o.task, o.run.method.slug, o.run.retained, o.run.final.action)
        for o in outcomes
        if o.run.method.slug in methods and o.task.question.id in task_ids
    ]


def run_robustness(judge: Judge, selected: Sequence[SelectedSet], readings: Sequence[Reading]) -> list[Redecision]:
    """Decide selected sets in every cell; outcomes by set, and by cell within a set.

    With the memo of the primary run its cell (UNKNOWN masks, YES/NO) is reused, not asked again. Full memory
    is decided once in each label style.

    Args:
        judge: the judge, behind the memo of the primary run.
        selected: the sets.
        readings: the cells, see :func:`full_cross`.
    """
    truths = {one.task.question.id: truth_of(one.task.question) for one in selected}
    cells = [(one, one.task.question, reading) for one in selected for reading in readings]
    references = judge.decide([workflow_query(asked, asked.everything, reading) for _, asked, reading in cells])
    finals = judge.decide([workflow_query(question, one.retained, reading) for one, question, reading in cells])
    terminals = decide_terminals(
        judge,
        [(question, final, reading.label_style) for (_, question, reading), final in zip(cells, finals, strict=True)],
    )
    return [
        _redecision(one, reading, truths[question.id], reference, final, terminal)
        for (one, question, reading), reference, final, terminal in zip(
            cells, references, finals, terminals, strict=True
        )
    ]


def _redecision(
    one: SelectedSet,
    reading: Reading,
    truth: Oracle | None,
    reference: Decision,
    final: Decision,
    terminal: Decision | None,
) -> Redecision:
    question = one.task.question
    correct = decided_right(final, question, truth, shown(question, one.retained, reading.interface))
    return Redecision(
        selected=one,
        reading=reading,
        reference=reference,
        final=final,
        terminal=terminal,
        agrees_with_primary=final.valid and final.action == one.action,
        behavioral_sufficiency=same_decision(final, reference),
        final_decision_correct=correct,
        trajectory_success=succeeded(correct, question, final, terminal),
    )
