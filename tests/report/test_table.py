"""Tables: digits, LaTeX, CSV, terminal and page."""

import io

import pandas as pd
import pytest

from jointcore.report.page import table_page
from jointcore.report.table import Column, Table


@pytest.fixture
def table():
    frame = pd.DataFrame(
        {
            "slug": ["a_b", "c"],
            "method": ["A & B_1", "<C>"],
            "value": [-0.12345, float("nan")],
            "kept": [[1, 2], []],
            "ok": [True, False],
        }
    )
    columns = [
        Column("method", "Method"),
        Column("value", "Value", 3),
        Column("kept", "Kept"),
        Column("ok", "Good"),
    ]
    return Table(frame, columns, "Table 9: Things", "About 50% of it.", "things")


def test_shown_values(table):
    shown = table.shown()
    assert list(shown["Value"]) == ["−0.123", "–"]
    assert list(shown["Kept"]) == ["{1, 2}", "{}"]
    assert list(shown["Good"]) == ["yes", "no"]
    assert table.numeric() == [False, True, False, False]


def test_rounding_hides_neither_a_sign_nor_that_something_is_not_zero():
    assert Column("x", "X", 3).text(-0.0) == Column("x", "X", 3).text(-1e-15) == "0.000"
    assert Column("x", "X", 3).text(-0.000095) == "−0.0001"
    assert Column("x", "X", 3).text(-0.0006) == "−0.001"


def test_csv_has_every_column_at_full_precision(table):
    frame = pd.read_csv(io.StringIO(table.csv()))
    assert list(frame.columns) == ["slug", "method", "value", "kept", "ok"]
    assert frame["value"][0] == -0.12345


def test_latex_is_escaped_and_ruled(table):
    text = table.latex()
    assert r"A \& B\_1 & $-$0.123 & \{1, 2\}" in text
    assert "$<$C$>$" in text
    assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    assert r"\caption{Things. About 50\% of it.}" in text
    assert r"\label{tab:things}" in text
    assert r"\begin{tabular}{lrll}" in text


def test_terminal_is_aligned(table):
    lines = table.terminal().splitlines()
    assert lines[0] == "Table 9: Things"
    assert lines[4].index("−0.123") + 6 == lines[5].index("–") + 1


def test_page_is_escaped_and_self_contained(table):
    page = table_page("Title", [table], ["Lead & more."], {"yes": "good"})
    assert "&lt;C&gt;" in page
    assert "Lead &amp; more." in page
    assert '<td class="good">yes</td>' in page
    assert "http://" not in page
    assert "https://" not in page
    assert "src=" not in page
