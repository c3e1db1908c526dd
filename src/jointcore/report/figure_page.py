"""A figure for a reader: as wide as the page, its caption beneath, its series to show and hide, its files at hand."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from jointcore.report.pages import document, part

_TYPES = {".csv": "text/csv", ".pdf": "application/pdf"}


def figure_part(
    svg: str, caption: str, files: Mapping[str, str] | None = None, series: Mapping[str, str] | None = None
) -> Markup:
    """A figure as a part of a page.

    Args:
        svg: the drawing, as :func:`jointcore.figures.style.save_figure` wrote it.
        caption: what to read off it.
        files: name to target of the files that it can be had as.
        series: slug to name of the series that can be shown and hidden; their marks have the ids of
            :func:`jointcore.figures.style.series_id`.
    """
    drawing = Markup(svg[svg.index("<svg") :])
    return part("figure.html.j2", svg=drawing, caption=caption, links=dict(files or {}), series=dict(series or {}))


def figure_page(
    title: str,
    svg: str | Path,
    caption: str,
    files: tuple[str | Path, ...] = (),
    series: Mapping[str, str] | None = None,
) -> str:
    """A page of one figure, which needs no other file: its CSV and PDF are inside.

    Args:
        title: the page's title.
        svg: file of the drawing.
        caption: what to read off it.
        files: its other files.
        series: see :func:`figure_part`; those without a mark in the drawing are left out.
    """
    drawing = Path(svg).read_text(encoding="utf-8")
    drawn = set(re.findall(r'id="series--(.+?)--\d+"', drawing))
    links = {Path(path).name: _inside(Path(path)) for path in files}
    shown = {slug: name for slug, name in (series or {}).items() if slug in drawn}
    return document(title, figure_part(drawing, caption, links, shown), (), ("figure.css",))


def _inside(path: Path) -> str:
    return f"data:{_TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
