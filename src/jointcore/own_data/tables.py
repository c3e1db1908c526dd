"""What methods keep of a user's own memories: a table of means, the data of a figure, and a page of every question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from jointcore.memories.options import DEFAULT_METHOD
from jointcore.report.case_view import case_page
from jointcore.report.table import Column, Table
from jointcore.selection.catalogue import load_method

_NOTE = (
    "Means over {count} questions. Preserved: the kept memories alone lead to the decision on full memory. Calls: "
    "different sets that were decided, full memory among them. Saved: share of the cost of all memories."
)


def own_means(frames: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> pd.DataFrame:
    """A row for each method.

    Args:
        frames: the rows of each method, by slug.
        names: name of each method, by slug.
    """
    return pd.DataFrame(
        {
            "slug": slug,
            "method": names[slug],
            "questions": len(frame),
            "preserved": frame["preserved"].mean(),
            "candidates": frame["candidate_count"].mean(),
            "kept": frame["kept"].map(len).mean(),
            "saved": (frame["cost_saved"] / frame["cost"]).mean(),
            "calls": frame["calls"].mean(),
            "most_calls": frame["calls"].max(),
            "complete": frame["complete"].mean(),
            "invalid": int(frame["invalid_decisions"].sum()),
        }
        for slug, frame in frames.items()
    )


def own_table(means: pd.DataFrame, judge: str) -> Table:
    """The table of :func:`own_means`."""
    columns = [
        Column("method", "Method"),
        Column("preserved", "Preserved", 3),
        Column("candidates", "Memories", 1),
        Column("kept", "Kept", 1),
        Column("saved", "Saved", 3),
        Column("calls", "Calls", 1),
        Column("most_calls", "Most calls"),
        Column("complete", "Complete", 3),
        Column("invalid", "Invalid decisions"),
    ]
    count = int(means["questions"].max())
    return Table(means, columns, f"Own memories, decided by {judge}", _NOTE.format(count=count), "own-data")


def own_page(cases: Sequence[Mapping[str, Any]], table: Table, judge: str) -> str:
    """A page to look at every question: its memories in their order, what each method keeps, and why.

    Args:
        cases: see :func:`jointcore.own_data.selection.own_cases`.
        table: the means.
        judge: name of the judge.
    """
    lead = [
        f"Which memories does each decision of {judge} rest on? A memory is kept where the search needs it for the "
        "decision on full memory; the others can go together. Another set may do as well, and a judge that errs is "
        "explained as it errs.",
        table.note,
    ]
    first = load_method(DEFAULT_METHOD).name
    shown = {method["name"] for case in cases for method in case["methods"]}
    return case_page("Own memories", cases, lead, first if first in shown else None)
