"""The findings of a run as a table: what was claimed and by whom, the difference with its interval, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.report.table import Column, Table
from jointcore.statistics.findings import outcome_counts

_NOTE = (
    "Holds, does not hold: the whole 95% interval of the difference is on that side of the claim; indistinguishable: "
    "it is on both. Intervals are two-sided and pointwise, by resampling tasks within families. The exact stage has "
    "none: its conditions are all there are. Claimed is only what the paper claims (it does not claim exact "
    "sufficiency as uniform over the models) or, of what was added, this project; where nothing is claimed, only what "
    "JointCore loses is listed."
)


def findings_table(findings: pd.DataFrame, names: Mapping[str, str], title: str) -> Table:
    """A table of findings, see :mod:`jointcore.statistics.findings`.

    Args:
        findings: a row a finding.
        names: slug to name of the methods, and key to name of the models.
        title: the table's title.
    """
    data = findings.assign(
        group_name=[names.get(group, group) for group in findings["group"]],
        what=[MEASURES[measure].name for measure in findings["measure"]],
        **{f"{side}_name": [names.get(slug, slug) for slug in findings[side]] for side in ("first", "second")},
    )
    columns = (
        Column("place", "Where"),
        Column("group_name", "Of"),
        Column("what", "Measure"),
        Column("first_name", "Method"),
        Column("second_name", "Against"),
        Column("outcome", "Outcome"),
        Column("difference", "Difference", 3),
        Column("ci_low", "95% low", 3),
        Column("ci_high", "95% high", 3),
        Column("mean_first", "Method's mean", 3),
        Column("mean_second", "Other's mean", 3),
        Column("claim", "Claim"),
        Column("by", "Claimed by"),
        Column("note", "Note"),
    )
    return Table(
        data, columns, title, f"{outcome_counts(findings)}. {_NOTE}" if len(data) else "No findings.", "findings"
    )
