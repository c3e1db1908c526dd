"""What all pages share: the style, the frame of a page, and the templates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader("jointcore.report"), autoescape=True, undefined=StrictUndefined)


@cache
def text_of(name: str) -> str:
    """The text of a file among the templates."""
    return (files("jointcore.report") / "templates" / name).read_text(encoding="utf-8")


def part(name: str, **values: Any) -> Markup:
    """A template of this package with its values, escaped, as a part of a page."""
    return Markup(_environment().get_template(name).render(values))


def document(title: str, content: Markup, lead: Sequence[str] = (), styles: Sequence[str] = ()) -> str:
    """A whole page that needs no other file, light or dark as the reader's system is.

    Args:
        title: the page's title.
        content: what it holds.
        lead: paragraphs before that.
        styles: style sheets among the templates that the content needs beside the common one.
    """
    style = Markup("".join(map(text_of, ("base.css", *styles))))
    return str(part("plain.html.j2", title=title, content=content, lead=list(lead), style=style)) + "\n"
