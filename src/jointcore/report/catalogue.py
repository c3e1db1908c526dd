"""Every table of a run by its name: what paths, the report and ``jointcore show`` call it, and what makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jointcore.report.exact_tables import EXACT_TABLES
from jointcore.report.model_tables import MODEL_TABLES

#: Where a table comes from: the exact stage, the worked example, or a cohort's statistics, record or transfer.
EXACT, EXAMPLE, COHORT, RUNTIME, TRANSFER = "exact", "worked_example", "cohort", "runtime", "transfer"


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table.

    Attributes:
        name: its name in paths and for ``jointcore show``.
        title: its title in lists.
        source: what it is made of, see above.
        caption: stem of its caption in ``workflow/report``.
    """

    name: str
    title: str
    source: str
    caption: str

    def target(self, cohort: str = "registered") -> str:
        """The workflow's target that makes it."""
        if self.source in (EXACT, EXAMPLE):
            return "all"
        return "local_study" if cohort == "local" else "model_study"


_ENTRIES = (
    *(TableEntry(name, name.replace("_", " ").capitalize(), EXACT, "exact_table") for name in EXACT_TABLES),
    TableEntry("table4", "Table 4", EXAMPLE, "table4"),
    *(TableEntry(table.name, table.title, COHORT, table.caption) for table in MODEL_TABLES.values()),
    TableEntry("runtime", "Runtime", RUNTIME, "model_table"),
    TableEntry("transfer", "Transfer", TRANSFER, "model_table"),
)
#: Every table by its name, in the paper's order.
TABLES: Mapping[str, TableEntry] = {entry.name: entry for entry in _ENTRIES}
