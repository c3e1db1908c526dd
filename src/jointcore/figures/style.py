"""The look of every figure: print size, colour-blind-safe, readable in greyscale, the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from jointcore.files import whole_file

#: Widths in inches: one column and a full page of a paper.
COLUMN, PAGE = 3.4, 7.0

#: Okabe and Ito's colours, dark before light, so that neighbours differ in lightness too.
_COLOURS = ("#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h")
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (7, 2, 1, 1, 1, 2)))

_SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "jointcore",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in the project's style while the block runs."""
    with mpl.rc_context(_SETTINGS):
        yield


def line_style(position: int) -> dict[str, Any]:
    """Colour, marker and dashes of the ``position``-th line; each of them alone tells neighbours apart."""
    return {
        "color": _COLOURS[position % len(_COLOURS)],
        "marker": _MARKERS[position % len(_MARKERS)],
        "linestyle": _DASHES[position % len(_DASHES)],
        "markerfacecolor": "white" if position // len(_COLOURS) % 2 else _COLOURS[position % len(_COLOURS)],
    }


def marker_style(position: int) -> dict[str, Any]:
    """Colour and marker of the ``position``-th set of points, which no line joins."""
    return {**line_style(position), "linestyle": "none"}


def save_figure(figure: Figure, paths: Sequence[str | Path]) -> None:
    """Save a figure to files, whole or not at all, without a date; then close it.

    Args:
        figure: the figure.
        paths: one file a format; the ending tells the format, ``.svg`` or ``.pdf``.
    """
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
    with mpl.rc_context(_SETTINGS):
        for path in map(Path, paths):
            kind = path.suffix[1:]
            with whole_file(path) as partial:
                figure.savefig(partial, format=kind, metadata=metadata[kind])
    plt.close(figure)
