"""A self-contained page of tables that a reader can sort and search; it asks nothing of the network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from jointcore.report.pages import part, text_of
from jointcore.report.table import Table
from jointcore.report.terms import LESS_IS_BETTER, MORE_IS_BETTER, TERMS
from jointcore.selection.catalogue import all_methods

#: Verdicts of a comparison that a reader may hide, and the column that holds them.
_VERDICT, _IDENTICAL = "Verdict", "identical"
_LONG = re.compile(r"-?\d+\.\d{7,}(?:e-?\d+)?")


def table_page(
    title: str, tables: Sequence[Table], lead: Sequence[str] = (), marks: Mapping[str, str] | None = None
) -> str:
    """A page of tables.

    A heading shows which way is better and says what its term means; the best value of a table of methods is set off,
    in each block where the published ones stand apart. A verdict comes second, and what is identical can be hidden.

    Args:
        title: the page's title.
        tables: its tables, in order.
        lead: paragraphs before them.
        marks: cell texts to set off, each as ``"good"`` or ``"bad"``.
    """
    sections = [_section(table) for table in tables]
    style = Markup("".join(map(text_of, ("base.css", "page.css"))))
    script = Markup(text_of("page.js"))
    values = {"title": title, "lead": list(lead), "sections": sections, "marks": dict(marks or {})}
    return str(part("page.html.j2", style=style, script=script, **values)) + "\n"


def _section(table: Table) -> dict[str, Any]:
    shown, numeric = table.shown(), table.numeric()
    order = list(range(len(shown.columns)))
    if _VERDICT in shown.columns:
        order.insert(1, order.pop(list(shown.columns).index(_VERDICT)))
    headings = [shown.columns[i] for i in order]
    rows = shown.to_numpy().tolist()
    best = _best(table, rows, numeric)
    shown_rows = [
        {
            "cells": [
                {
                    "text": _LONG.sub(lambda found: f"{float(found.group()):.6g}", row[i]) if i else row[i],
                    "kind": f"{'number' if numeric[i] else ''}{' best' if (number, i) in best else ''}".strip(),
                }
                for i in order
            ],
            "identical": _VERDICT in headings and row[order[1]] == _IDENTICAL,
        }
        for number, row in enumerate(rows)
    ]
    return {
        "title": table.title,
        "note": table.note,
        "headings": [
            {"text": text, "way": _way(text), "meaning": TERMS.get(text, ""), "number": numeric[i]}
            for text, i in zip(headings, order, strict=True)
        ],
        "blocks": _blocks(shown_rows, [row[0] for row in rows] if _of_methods(table) else []),
        "count": len(rows),
        "identical": sum(row["identical"] for row in shown_rows),
    }


def _way(heading: str) -> str:
    return "↑" if heading in MORE_IS_BETTER else "↓" if heading in LESS_IS_BETTER else ""


@cache
def _studies() -> dict[str, bool]:
    return {method.name: method.study for method in all_methods()}


def _of_methods(table: Table) -> bool:
    """Whether a row is a method: the first column names one, and none twice."""
    first = table.columns[0]
    return first.title == "Method" and table.frame[first.key].is_unique and len(table.frame) > 0


def _blocks(rows: list[dict[str, Any]], methods: list[str]) -> list[dict[str, Any]]:
    """The rows, those of published methods apart from those of added ones."""
    added = [row for row, name in zip(rows, methods, strict=False) if not _studies().get(name, False)]
    if not added or len(added) == len(rows):
        return [{"title": "", "rows": rows}]
    published = [row for row in rows if not any(row is other for other in added)]
    return [{"title": "Published methods", "rows": published}, {"title": "Added by this project", "rows": added}]


def _best(table: Table, rows: list[list[str]], numeric: list[bool]) -> set[tuple[int, int]]:
    """Row and column of the best values as they are shown, of methods that ask something, in each block."""
    if not _of_methods(table):
        return set()
    found = set()
    asking = {"Evaluations", "Queries"}
    for study in (True, False):
        places = [n for n, row in enumerate(rows) if _studies().get(row[0], False) == study]
        for i, column in enumerate(table.columns):
            way = _way(column.title)
            values = {n: table.frame[column.key].iloc[n] for n in places} if numeric[i] and way else {}
            # What asks nothing has no cost to be best at.
            values = {n: v for n, v in values.items() if v == v and not (column.title in asking and v == 0)}
            if len(set(values.values())) > 1:
                top = (max if way == "↑" else min)(values.values())
                found |= {(n, i) for n in values if rows[n][i] == column.text(top)}
    return found
