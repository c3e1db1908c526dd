"""A self-contained page of tables that a reader can sort and search; it asks nothing of the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from jointcore.report.table import Table


@cache
def _template() -> Template:
    loader = PackageLoader("jointcore.report")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("page.html.j2")


def table_page(
    title: str, tables: Sequence[Table], lead: Sequence[str] = (), marks: Mapping[str, str] | None = None
) -> str:
    """A page of tables.

    Args:
        title: the page's title.
        tables: its tables, in order.
        lead: paragraphs before them.
        marks: cell texts to set off, each as ``"good"`` or ``"bad"``.
    """
    sections = []
    for table in tables:
        shown = table.shown()
        numeric = table.numeric()
        sections.append(
            {
                "title": table.title,
                "note": table.note,
                "headings": list(shown.columns),
                "numeric": numeric,
                "classes": ["number" if is_number else "" for is_number in numeric],
                "rows": shown.to_numpy().tolist(),
            }
        )
    return _template().render(title=title, lead=list(lead), sections=sections, marks=dict(marks or {})) + "\n"
