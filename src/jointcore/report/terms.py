"""The words of the tables, explained where they stand."""

from __future__ import annotations

from collections.abc import Mapping

#: Term, as a heading shows it, to its meaning.
TERMS: Mapping[str, str] = {
    "Evaluations": "Decisions that a search asks for on one condition; the one on full memory is not counted.",
    "Queries": "Decisions that a search asks of the model on one task; the one on full memory is not counted.",
    "Exact sufficiency": "The selected set satisfies the task's logical rule.",
    "Minimum-cost recovery": "The selected set is one of the cheapest sufficient sets.",
    "Behavioral sufficiency": "The model decides on the selected set as it does on full memory, right or wrong.",
    "Critical recall": "Share of the records in any minimum-cost set that the selected set holds.",
    "Savings": "Share of the payload cost (the study's weights of records, in its tokens) that is left out.",
    "Cost gap": "Cost of the selected set minus that of the cheapest sufficient set, where the set is sufficient.",
    "Trajectory success": "The decision on the selected set and the step that ends the workflow are both right.",
    "Control accuracy": "The model decides on full memory as the rule says.",
    "Budget exhausted": "The search stopped at its largest number of decisions.",
}
#: What less of is better.
LESS_IS_BETTER = ("Evaluations", "Queries", "Cost gap", "Budget exhausted", "Invalid decisions")
#: What more of is better.
MORE_IS_BETTER = tuple(term for term in TERMS if term not in LESS_IS_BETTER)
