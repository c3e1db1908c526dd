"""The look of every figure: print size, colour-blind-safe, readable in greyscale, the same bytes every time."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from jointcore.files import whole_file, write_text
from jointcore.hashing import stable_seed
from jointcore.selection.catalogue import all_methods

#: Width in inches of a figure that is as wide as a page of a report.
PAGE = 10.0

#: Okabe and Ito's colours, dark before light, so that neighbours differ in lightness too.
_COLOURS = ("#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h")
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (7, 2, 1, 1, 1, 2)))

#: Colour, marker, dashes and width of the methods that a figure sets off; all others are pale. Theirs alone.
HIGHLIGHTED: dict[str, tuple[str, str, Any, float]] = {
    "jointcore_cost_ordered": ("#0072B2", "o", "-", 2.8),
    "jointcore_anchored": ("#D55E00", "s", "-", 2.8),
    "conditional_singleton_cost": ("#000000", "^", (0, (5, 2)), 1.6),
    "jointcore_legacy": ("#7B3294", "v", (0, (5, 1.5, 1, 1.5)), 1.6),
    "exact_oracle": ("#00795A", "D", (0, (1, 1.5)), 1.6),
}
_PALE = ("#A8A8A8", "#8FB3C9", "#C9B08F")
#: The methods that lie on top of every other.
_ON_TOP = ("jointcore_cost_ordered", "jointcore_anchored")

_SETTINGS = {
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.labelsize": 10,
    "legend.fontsize": 10,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.2,
    "lines.markersize": 5,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "jointcore",
    "svg.fonttype": "none",
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


def method_style(slug: str) -> dict[str, Any]:
    """Colour, marker and dashes of a method, the same in every figure; JointCore and the anchored search on top.

    A method beyond the highlighted ones is pale; its marker follows from its place in the catalogue, or from its name
    where it is in none.
    """
    if slug in HIGHLIGHTED:
        colour, marker, dashes, width = HIGHLIGHTED[slug]
        top = slug in _ON_TOP
        look = {"color": colour, "marker": marker, "linestyle": dashes, "linewidth": width}
        return {**look, "markerfacecolor": colour, "markersize": 7 if top else 6, "zorder": 4 if top else 3}
    place = _places().get(slug)
    place = stable_seed(slug, "look") % 36 if place is None else place
    colour = _PALE[place // len(_MARKERS) % len(_PALE)]
    return {
        "color": colour,
        "marker": _MARKERS[place % len(_MARKERS)],
        "linestyle": "-",
        "linewidth": 0.9,
        "markerfacecolor": "white",
        "markersize": 5,
        "zorder": 2,
    }


def point_style(slug: str) -> dict[str, Any]:
    """Colour and marker of a method's points, which no line joins; see :func:`method_style`."""
    return {**method_style(slug), "linestyle": "none"}


def series_id(slug: str, panel: int = 0) -> str:
    """The identity of a series' mark in an SVG, by which a page finds it."""
    return f"series--{slug}--{panel}"


def save_figure(figure: Figure, paths: Sequence[str | Path], title: str = "", description: str = "") -> None:
    """Save a figure to files, whole or not at all, without a date; then close it.

    Text stays text in an SVG, which says its title and description to a screen reader.

    Args:
        figure: the figure.
        paths: one file a format; the ending tells the format, ``.svg`` or ``.pdf``.
        title: what the figure is.
        description: what it shows.
    """
    with mpl.rc_context(_SETTINGS):
        for path in map(Path, paths):
            if path.suffix == ".svg":
                drawn = io.StringIO()
                figure.savefig(drawn, format="svg", metadata={"Date": None})
                write_text(path, _described(drawn.getvalue(), title, description))
            else:
                with whole_file(path) as partial:
                    figure.savefig(partial, format="pdf", metadata={"CreationDate": None, "ModDate": None})
    plt.close(figure)


@cache
def _places() -> dict[str, int]:
    others = [method.slug for method in all_methods() if method.slug not in HIGHLIGHTED]
    return {slug: place for place, slug in enumerate(others)}


def _described(svg: str, title: str, description: str) -> str:
    if not title:
        return svg
    told = f'<title id="figure-title">{escape(title)}</title>\n <desc id="figure-desc">{escape(description)}</desc>'
    label = 'role="img" aria-labelledby="figure-title figure-desc"'
    return re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {label} {found.group(1)}>\n {told}", svg, count=1)
