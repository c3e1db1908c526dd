"""CMI's published tables beside their recomputation from the recorded numbers, and the audit, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from jointcore.report.page import table_page
from jointcore.report.table import Column, Table
from jointcore.report.verdicts import COLUMNS, MARKS, Figure, comparison_frame, verdict_counts
from jointcore.statistics.cmi.records import METHODS, ROLES
from jointcore.statistics.cmi.replay import MEASURES
from jointcore.statistics.printing import format_p

_MEASURE_COLUMNS = tuple(Column(measure, name, 2 if measure == "selected" else 3) for measure, name in MEASURES.items())
_TESTED = {**MEASURES, "fair": "Score, empty judgements left out"}
_HOW = (
    "The publication counts an empty judgement as 0; “empty judgements left out” scores those questions by the "
    "deterministic part alone. Zero "
    "adoption rests on the gold roles: CMI refuses a memory that the data call harmful before it is tested."
)


def compare_cmi(
    printed: Mapping[str, Any], by_method: pd.DataFrame, by_role: pd.DataFrame, memories: Mapping[str, int]
) -> pd.DataFrame:
    """Every printed figure beside the recomputed one; columns as ``results/comparison/exact.csv``.

    Args:
        printed: ``resources/published/cmi/printed.json``.
        by_method, by_role: see :mod:`jointcore.statistics.cmi.replay`.
        memories: number of questions, of memories, and of memories of each role.
    """
    return comparison_frame(_figures(printed, by_method, by_role, memories), True)


def cmi_page(comparison: pd.DataFrame, statistics: Mapping[str, pd.DataFrame], source: str) -> str:
    """The page of the replay: verdicts, the three tables, the audit and the paired tests.

    Args:
        comparison: see :func:`compare_cmi`.
        statistics: ``by_method``, ``by_family``, ``by_role``, ``audit`` and ``tests``.
        source: where the figures were published.
    """
    named = {name: _named(frame) for name, frame in statistics.items()}
    tests = named["tests"].assign(p=[format_p(p) for p in named["tests"]["p_adjusted"]])
    tables = [
        Table(named["by_method"], (Column("name", "Method"), *_MEASURE_COLUMNS), "By method (published Table 1)", _HOW),
        Table(
            named["by_family"],
            (Column("family", "Family"), Column("name", "Method"), Column("questions", "Questions"), *_MEASURE_COLUMNS),
            "By family and method (published Table 2)",
            "The printed cells of this table are not among the project's data, so it has no verdicts.",
        ),
        Table(
            named["by_role"],
            (
                Column("role", "Role"),
                Column("candidates", "Candidates"),
                Column("utility", "Utility", 3),
                Column("stability", "Stability", 3),
                Column("selected", "Selected"),
            ),
            "By role (published Table 3)",
            "Utility: score with the memory alone less that with none; stability: less that with its perturbed form.",
        ),
        Table(
            named["audit"],
            (Column("finding", "Finding"), Column("value", "Value", 3), Column("of", "Of", 0)),
            "Audit",
            "What follows from the recorded numbers and is not in the publication.",
        ),
        Table(
            tests,
            (
                Column("name", "Baseline"),
                Column("measure_name", "Measure"),
                Column("test", "Test"),
                Column("mean_cmi", "CMI", 3),
                Column("mean_baseline", "Baseline's mean", 3),
                Column("difference", "CMI − baseline", 3),
                Column("ci_low", "95% low", 3),
                Column("ci_high", "95% high", 3),
                Column("p", "Adjusted p"),
            ),
            "CMI against each baseline",
            "Paired over the questions, two-sided; intervals by a bootstrap over questions; Holm over all rows.",
        ),
        Table(comparison, COLUMNS, "Published and recomputed"),
    ]
    lead = [f"{len(comparison)} printed figures of CMI ({source}): {verdict_counts(comparison)}.", _HOW]
    return table_page("Causal Memory Intervention: replay and audit", tables, lead, MARKS)


def _figures(
    printed: Mapping[str, Any], by_method: pd.DataFrame, by_role: pd.DataFrame, memories: Mapping[str, int]
) -> Iterator[Figure]:
    methods, roles = by_method.set_index("method"), by_role.set_index("role")
    table = printed["by_method"]
    for method, name in METHODS.items():
        for column, value in zip(table["columns"], table[method], strict=True):
            digits = 2 if method in ("full_history", "summary_memory") and column == "selected" else 3
            found = float(methods.loc[method, column])
            yield Figure("CMI, table by method", f"{name}: {MEASURES[column]}", value, found, digits)
    table = printed["by_role"]
    for role in ROLES:
        for column, value in zip(table["columns"], table[role], strict=True):
            found = roles.loc[role, column]
            whole = column == "candidates"
            yield Figure(
                "CMI, table by role",
                f"{role}: {column}",
                value,
                int(found) if whole else float(found),
                None if whole else 3,
            )
    for what, value in printed["data"].items():
        yield Figure("CMI, data", what, value, memories[what])


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with the names of its methods and measures."""
    key = next((column for column in ("method", "baseline") if column in frame), None)
    if key:
        frame = frame.assign(name=frame[key].map(METHODS))
    if "measure" in frame:
        frame = frame.assign(measure_name=frame["measure"].map(_TESTED))
    return frame.assign(family=frame["family"].str.replace("_", " ")) if "family" in frame else frame
