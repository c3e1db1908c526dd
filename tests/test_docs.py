"""Docs can be read in a terminal: lines of at most 120 characters, but for tables."""

import re

import pytest

from paths import PROJECT

PAGES = sorted(path for suffix in ("md", "rst") for path in PROJECT.rglob(f"*.{suffix}"))
PAGES = [path.relative_to(PROJECT) for path in PAGES]
PAGES = [page for page in PAGES if not any(part.startswith(".") or part == "results" for part in page.parts)]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_lines_are_short(page):
    lines = (PROJECT / page).read_text().splitlines()
    assert not [f"{page}:{i}" for i, line in enumerate(lines, 1) if len(line) > 120 and not line.startswith("|")]


@pytest.mark.parametrize("page", [page for page in PAGES if page.suffix == ".md"], ids=str)
def test_what_it_links_to_is_there(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", (PROJECT / page).read_text())
    missing = [link for link in links if "://" not in link and not (PROJECT / page.parent / link).exists()]
    assert not missing
