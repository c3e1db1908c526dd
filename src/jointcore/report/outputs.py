"""Writes a table in every form that the workflow delivers."""

from __future__ import annotations

import logging
from pathlib import Path

from jointcore.files import write_text
from jointcore.report.page import table_page
from jointcore.report.table import Table

_log = logging.getLogger(__name__)


def write_table(table: Table, csv: str | Path, tex: str | Path, html: str | Path) -> None:
    """Write a table as CSV, LaTeX and page; as plain text to the log, so that nobody need fetch a page to read it."""
    write_text(csv, table.csv())
    write_text(tex, table.latex())
    write_text(html, table_page(table.title, [table]))
    _log.info("\n%s", table.terminal())
