"""Label styles: how a question is asked and what answers it allows (paper, section on label styles)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.hashing import stable_seed

#: The labels of a prompt in order, and the actions that they stand for.
Answers = tuple[tuple[str, ...], tuple[Hashable, ...]]

LABELS = ("first_label", "second_label")
MEANINGS = ("first_action", "second_action")
RULE = ("satisfied_action", "other_action")


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """A label style.

    Attributes:
        name: its name in tables and figures.
        column: its heading in the robustness table.
        answers: the answers that a query allows, given the style's own labels.
        own_labels: a prompt template lists two labels for the style; otherwise the actions are the labels.
        needs: variables that the wording of its question must use.
    """

    name: str
    column: str
    answers: Callable[[Query, tuple[str, ...]], Answers]
    own_labels: bool = False
    needs: tuple[str, ...] = LABELS


def _boolean(query: Query, labels: tuple[str, ...]) -> Answers:
    """The first label says that the condition is satisfied; the terminal step offers its actions."""
    if query.workflow_action is not None:
        return _direct(query, labels)
    satisfied = query.question.condition.action
    others = tuple(action for action in query.offered if action != satisfied)
    if len(others) != len(query.offered) - 1 or len(others) != 1:
        raise InputError(
            f"question {query.question.id} has no condition that is true or false; ask it in the label style direct"
        )
    return labels, (satisfied, *others)


def _direct(query: Query, labels: tuple[str, ...]) -> Answers:
    """The labels are the actions themselves."""
    return tuple(map(str, query.offered)), query.offered


def _letters(query: Query, labels: tuple[str, ...]) -> Answers:
    """The first letter means the first action where a hash of the task is even: letters are counterbalanced."""
    offered = query.offered
    if len(offered) != len(labels):
        raise InputError(
            f"question {query.question.id} has {len(offered)} answers but the label style ab {len(labels)} letters; "
            "ask it in the label style direct"
        )
    salt = "ab-map" if query.workflow_action is None else "terminal-ab-map"
    return labels, offered if stable_seed(query.question.id, salt) % 2 == 0 else offered[::-1]


#: The label styles by slug. A new one is an entry here and its wording under ``questions`` in a prompt template.
LABEL_STYLES: dict[str, LabelStyle] = {
    "boolean": LabelStyle("YES/NO", "YES/NO label", _boolean, own_labels=True),
    "direct": LabelStyle("EXECUTE/HOLD", "Direct label", _direct, needs=LABELS + RULE),
    "ab": LabelStyle("A/B", "A/B label", _letters, own_labels=True, needs=LABELS + RULE + MEANINGS),
}


def label_style(slug: str) -> LabelStyle:
    """The label style of that name.

    Raises:
        InputError: there is none.
    """
    if slug not in LABEL_STYLES:
        raise InputError(f"label style {slug!r} is unknown; choose one of {', '.join(LABEL_STYLES)}")
    return LABEL_STYLES[slug]
