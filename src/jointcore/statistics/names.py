"""Measures, memory interfaces and label styles under the paper's names, for tables and figures."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.statistics.registration import JOINTCORE, SINGLETON

#: Measure to its name.
MEASURE_NAMES: Mapping[str, str] = {
    "behavioral_sufficiency": "Behavioral sufficiency",
    "exact_sufficiency": "Exact sufficiency",
    "valid_minimum_set": "Minimum-cost recovery",
    "critical_recall": "Critical recall",
    "active_token_savings": "Savings",
    "cost_gap": "Cost gap",
    "intervention_count": "Queries",
    "budget_exhausted": "Budget exhausted",
    "final_decision_correct": "Final decision correct",
    "trajectory_success": "Trajectory success",
    "selection_accuracy": "Selection accuracy",
    "satisfied_share": "Share of YES",
    "invalid_decisions": "Invalid decisions",
    "control_accuracy": "Control accuracy",
}
#: Memory interface to its name.
INTERFACE_NAMES: Mapping[str, str] = {
    "full_archive": "Full archive",
    "typed_mask": "UNKNOWN mask",
    "deletion": "Deletion",
    "plausible_same_type": "Plausible same-type",
    "counterfactual": "Counterfactual",
}
#: Label style to its name.
STYLE_NAMES: Mapping[str, str] = {"boolean": "YES/NO", "direct": "EXECUTE/HOLD", "ab": "A/B"}
#: Column of the published robustness table to its name.
CELL_NAMES: Mapping[str, str] = {
    "primary": "Primary",
    "deletion": "Deletion",
    "typed_mask": "Typed mask",
    "plausible_same_type": "Plausible",
    "counterfactual": "Counterfactual",
    "direct": "Direct label",
    "ab": "A/B label",
}
#: The registered pair of methods under the names that the model stage's tables and figures use.
PAIR_NAMES: Mapping[str, str] = {JOINTCORE: "JointCore", SINGLETON: "Cost-aware singleton"}
