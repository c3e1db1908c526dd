"""A table for a reader: as CSV at full precision, as LaTeX (booktabs) and as a page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from jointcore.statistics.printing import shown


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        key: column of the data.
        title: its heading.
        digits: decimals shown of a number; ``None`` shows the value as it is.
    """

    key: str
    title: str
    digits: int | None = None

    def text(self, value: Any) -> str:
        """A value as the reader sees it; an undefined one is a dash."""
        if isinstance(value, list | tuple | set | frozenset):
            return "{" + ", ".join(map(str, sorted(value) if isinstance(value, set | frozenset) else value)) + "}"
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if value is None or (isinstance(value, float) and value != value):
            return "–"
        if self.digits is None or isinstance(value, str):
            return str(value)
        return shown(float(value), self.digits).replace("-", "−")


@dataclass(frozen=True, slots=True)
class Table:
    """Data with the columns that are shown of it.

    Attributes:
        frame: the data; columns that are not shown are in the CSV all the same.
        columns: what is shown, in order.
        title: the table's title.
        note: what a reader must know to read it, a sentence or more.
        name: label for references.
    """

    frame: pd.DataFrame
    columns: Sequence[Column]
    title: str
    note: str = ""
    name: str = ""

    def shown(self) -> pd.DataFrame:
        """The table as texts, under its headings."""
        return pd.DataFrame(
            {column.title: [column.text(value) for value in self.frame[column.key]] for column in self.columns},
            dtype=str,
        )

    def numeric(self) -> list[bool]:
        """For every shown column, whether it holds numbers."""
        types = [self.frame[column.key].dtype for column in self.columns]
        return [pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind) for kind in types]

    def csv(self) -> str:
        """The data as CSV, numbers at full precision."""
        return self.frame.to_csv(index=False, lineterminator="\n")

    def latex(self) -> str:
        """The table as a LaTeX float with booktabs rules."""
        shown = self.shown().map(_latex_text)
        shown.columns = [_latex_text(title) for title in shown.columns]
        # LaTeX numbers the table itself.
        title = re.sub(r"^Table \d+: ", "", self.title)
        caption = _latex_text(f"{title}. {self.note}".strip())
        return shown.style.hide(axis="index").to_latex(
            hrules=True,
            position="t",
            position_float="centering",
            column_format="".join("r" if numeric else "l" for numeric in self.numeric()),
            caption=caption,
            label=f"tab:{self.name}" if self.name else None,
        )

    def terminal(self, width: int = 80) -> str:
        """The table as plain text with aligned columns, at most ``width`` characters a line.

        Headings take as many lines as they need. Columns that do not fit follow below, the first one repeated; a text
        that does not fit by itself is wrapped.
        """
        shown, numeric = self.shown(), self.numeric()
        texts = [shown.iloc[:, i].tolist() for i in range(len(self.columns))]
        rows = len(self.frame)
        heads = [_wrapped(column.title, 14) for column in self.columns]
        first = min(max(map(len, [*heads[0], *texts[0]])), width // 2)
        room = width - first - 2
        widths = [first, *(min(max(map(len, [*h, *t])), room) for h, t in zip(heads[1:], texts[1:], strict=True))]
        blocks: list[list[int]] = [[0]]
        for i in range(1, len(widths)):
            if sum(widths[j] + 2 for j in blocks[-1]) + widths[i] > width:
                blocks.append([0])
            blocks[-1].append(i)
        align: list[Callable[[str, int], str]] = [str.rjust if number else str.ljust for number in numeric]
        lines = [*_wrapped(self.title, width)]
        for block in blocks:
            rule = "-" * min(width, sum(widths[i] + 2 for i in block) - 2)
            tall = max(len(heads[i]) for i in block)
            head = [[""] * (tall - len(heads[i])) + heads[i] for i in block]
            lines += ["", rule] if block is not blocks[0] else [rule]
            lines += _laid(head, [widths[i] for i in block], [align[i] for i in block])
            lines.append(rule)
            for row in range(rows):
                cells = [_wrapped(texts[i][row], widths[i]) for i in block]
                lines += _laid(cells, [widths[i] for i in block], [align[i] for i in block])
        return "\n".join([*lines, *_wrapped(self.note, width, empty=[])])


def _wrapped(text: str, width: int, empty: Sequence[str] = ("",)) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=len(text.split(" ")[0]) > width) or list(empty)


def _laid(cells: Sequence[list[str]], widths: Sequence[int], align: Sequence[Callable[[str, int], str]]) -> list[str]:
    """Cells of one or more lines side by side."""
    tall = max(map(len, cells))
    filled = [cell + [""] * (tall - len(cell)) for cell in cells]
    return [
        "  ".join(f(cell[k], w) for f, cell, w in zip(align, filled, widths, strict=True)).rstrip() for k in range(tall)
    ]


def _latex_text(text: str) -> str:
    marks = {
        "\\": r"\textbackslash{}",
        "–": "--",
        "−": "$-$",
        "±": r"$\pm$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "<": r"$<$",
        ">": r"$>$",
        "∞": r"$\infty$",
        "…": r"\dots{}",
    }
    marks |= {sign: f"\\{sign}" for sign in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(marks.get(sign, sign) for sign in text)
