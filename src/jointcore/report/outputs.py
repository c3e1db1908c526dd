"""Writes a table in every form that the workflow delivers."""

from __future__ import annotations

from pathlib import Path

from jointcore.files import write_text
from jointcore.report.page import table_page
from jointcore.report.table import Table


def write_table(table: Table, csv: str | Path, tex: str | Path, html: str | Path) -> None:
    """Write a table as CSV, LaTeX and page, and its plain text to the log."""
    write_text(csv, table.csv())
    write_text(tex, table.latex())
    write_text(html, table_page(table.title, [table]))
