"""Every measure of a retained set, declared once: name, kind, range, format and meaning.

Schemas of results, checks of the statistics, headings and captions of tables take theirs from here (paper, sections
on measures and on the model stage). How a measure is computed is in ``measures`` and ``model_measures``, whose fields
have these names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

BOOLEAN, NUMBER, COUNT = "boolean", "number", "count"
_TYPES = {BOOLEAN: pa.bool_(), NUMBER: pa.float64(), COUNT: pa.int32()}


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes:
        key: its column in results and statistics.
        name: its name in tables and figures, the paper's where it has one.
        kind: ``boolean`` (a mean is a share of tasks), ``number``, or ``count`` (whole, not below 0).
        better: 1 if more is better, -1 if less is, 0 if neither.
        caption: what it says, for a reader.
        exact: the exact stage has it too; the others need a judge's decisions.
        needs_truth: undefined where nobody knows what is true of the question.
        undefined: may lack a value even where the truth is known.
        largest: upper end of its range; the lower one is 0.
        digits: decimals in tables.
        record_key: its name in the published aggregate record, where that is another.
        exact_name: its name in tables of the exact stage, where the paper gives it another.
    """

    key: str
    name: str
    kind: str
    better: int
    caption: str
    exact: bool = False
    needs_truth: bool = True
    undefined: bool = False
    largest: float = 1.0
    digits: int = 3
    record_key: str = ""
    exact_name: str = ""

    @property
    def type(self) -> pa.DataType:
        """Its type in files."""
        return _TYPES[self.kind]


_ALL = (
    Measure(
        "behavioral_sufficiency",
        "Behavioral sufficiency",
        BOOLEAN,
        1,
        "the decision on the selected set is the one on full memory, right or wrong",
        needs_truth=False,
    ),
    Measure("exact_sufficiency", "Exact sufficiency", BOOLEAN, 1, "the set satisfies the rule", exact=True),
    Measure(
        "valid_minimum_set",
        "Minimum-cost recovery",
        BOOLEAN,
        1,
        "the set is one of the cheapest sets that satisfy the rule",
        exact=True,
    ),
    Measure(
        "critical_recall",
        "Critical recall",
        NUMBER,
        1,
        "share kept of the records that are in any cheapest sufficient set",
        exact=True,
    ),
    Measure(
        "active_token_savings",
        "Savings",
        NUMBER,
        1,
        "share of the records' payload cost that is left out",
        exact=True,
        needs_truth=False,
    ),
    Measure(
        "cost_gap",
        "Cost gap",
        NUMBER,
        -1,
        "cost above the cheapest sufficient set's, as a share of it; only of sets that satisfy the rule",
        exact=True,
        undefined=True,
        largest=math.inf,
    ),
    Measure(
        "intervention_count",
        "Queries",
        COUNT,
        -1,
        "evaluations of the search; the one on full memory is not counted",
        exact=True,
        needs_truth=False,
        largest=math.inf,
        digits=2,
        exact_name="Evaluations",
    ),
    Measure(
        "budget_exhausted",
        "Budget exhausted",
        BOOLEAN,
        -1,
        "the search ended at its cap of evaluations",
        exact=True,
        needs_truth=False,
        record_key="budget_exhaustion_rate",
    ),
    Measure(
        "final_decision_correct",
        "Final decision correct",
        BOOLEAN,
        1,
        "the decision on the selected set is what the rule says for that set",
    ),
    Measure(
        "trajectory_success",
        "Trajectory success",
        BOOLEAN,
        1,
        "that decision and the terminal step after it are correct",
    ),
    Measure(
        "selection_accuracy",
        "Selection accuracy",
        NUMBER,
        1,
        "share of the search's decisions that are what the rule says",
        undefined=True,
    ),
    Measure(
        "satisfied_share",
        "Share of YES",
        NUMBER,
        0,
        "share of the search's decisions that take the condition as satisfied",
        needs_truth=False,
        undefined=True,
    ),
    Measure(
        "invalid_decisions",
        "Invalid decisions",
        COUNT,
        -1,
        "invalid decisions of a task's search, final set and terminal step",
        needs_truth=False,
        largest=math.inf,
    ),
)
#: Measure of one retained set by its key, in the order of files and tables.
MEASURES: Mapping[str, Measure] = {measure.key: measure for measure in _ALL}
#: A property of a model and task, the same for all methods.
CONTROL = Measure("control_accuracy", "Control accuracy", BOOLEAN, 1, "full memory is decided as the rule says")
#: Both.
WITH_CONTROL: Mapping[str, Measure] = {**MEASURES, CONTROL.key: CONTROL}
#: The measures of the exact stage.
EXACT_MEASURES: Mapping[str, Measure] = {key: measure for key, measure in MEASURES.items() if measure.exact}
