"""A view of cases: what was asked of each, which sets were tried, what was kept and why; one HTML part, data inside.

A case is a plain dictionary, so that any selection can be shown, the study's or a user's own:

* ``title``; ``condition``: what is decided (``query`` is read in its place);
* ``records``: dictionaries with ``id``, ``text`` and, where known, ``cost`` and ``relevance``;
* ``methods``: dictionaries with ``name``, ``kept`` (record ids), ``calls`` and ``steps`` (``tested``, ``group``,
  ``dropped``: record ids; ``same``; ``margin`` and ``decision``, where known); where known, ``decision`` (on the kept
  records), ``needed`` (record id to two sets, see :func:`needed_sets`) and ``marks`` (words to filter by);
* where wanted, ``facets`` (name to value, to filter by) and ``details`` (title to text, such as the prompt).
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from jointcore.errors import InputError
from jointcore.report.pages import document, part, text_of

Case = Mapping[str, Any]


def needed_sets(kept: Collection[Any], steps: Iterable[Mapping[str, Any]]) -> dict[Any, list[list[Any]]]:
    """For every kept record that an answer shows to be needed, two decided sets: the kept one, and one without it.

    The second is the smallest set that was asked, holds every other kept record but not this one, and was decided
    otherwise: the kept set itself without the record where that was asked. A record without such a set is left out.

    Args:
        kept: ids of the kept records.
        steps: what was asked: ``tested`` (ids) and ``same``.
    """
    differed = [set(step["tested"]) for step in steps if not step["same"]]
    found = {}
    for record in kept:
        rest = set(kept) - {record}
        without = [tested for tested in differed if record not in tested and tested >= rest]
        if without:
            found[record] = [list(kept), sorted(min(without, key=len))]
    return found


def case_view(cases: Sequence[Case], method: str | None = None) -> Markup:
    """The view as a part of a page, which has the style of :func:`jointcore.report.pages.document`.

    Args:
        cases: the cases, in the order in which they are listed.
        method: name of the method that is shown first; ``None``: a case's first.

    Raises:
        InputError: a case lacks a key, or names a record that it does not have.
    """
    texts: dict[str, int] = {}
    packed = [_packed(case, texts) for case in cases]
    data = json.dumps(
        {"cases": packed, "texts": list(texts), "start": method}, ensure_ascii=False, separators=(",", ":")
    )
    zipped = base64.b64encode(gzip.compress(data.encode(), mtime=0)).decode()
    return part("case_view.html.j2", data=zipped, script=Markup(text_of("case_view.js")))


def case_page(title: str, cases: Sequence[Case], lead: Sequence[str] = (), method: str | None = None) -> str:
    """The view as a whole page, which needs no other file.

    Args:
        title: the page's title.
        cases: see :func:`case_view`.
        lead: paragraphs before the view.
        method: see :func:`case_view`.
    """
    return document(title, case_view(cases, method), lead, ("case_view.css",))


def _packed(case: Case, texts: dict[str, int]) -> dict[str, Any]:
    """A case as the view reads it: sets as hexadecimal bitsets over positions, repeated texts by number."""
    try:
        ids = [record["id"] for record in case["records"]]
        place = {identifier: position for position, identifier in enumerate(ids)}
        return {
            "title": case["title"],
            "condition": case["condition"] if "condition" in case else case["query"],
            "facets": {name: value for name, value in case.get("facets", {}).items() if value is not None},
            "details": [(title, texts.setdefault(text, len(texts))) for title, text in case.get("details", {}).items()],
            "records": [
                {key: record[key] for key in ("id", "text", "cost", "relevance") if record.get(key) is not None}
                for record in case["records"]
            ],
            "methods": [_packed_method(method, place) for method in case["methods"]],
        }
    except KeyError as error:
        raise InputError(
            f"case {case.get('title', 'without a title')!r} has no {error.args[0]!r}; a case's keys and records are "
            "described in jointcore.report.case_view"
        ) from error


def _packed_method(method: Mapping[str, Any], place: Mapping[Any, int]) -> dict[str, Any]:
    def packed(ids: Iterable[Any]) -> str:
        return f"{sum(1 << place[identifier] for identifier in ids):x}"

    return {
        "name": method["name"],
        "kept": packed(method["kept"]),
        "calls": method["calls"],
        "decision": method.get("decision"),
        "marks": list(method.get("marks", ())),
        "needed": {
            place[record]: [packed(kept), packed(without)]
            for record, (kept, without) in method.get("needed", {}).items()
        },
        "steps": [
            [
                packed(step["tested"]),
                packed(step["group"]),
                packed(step["dropped"]),
                int(step["same"]),
                None if step.get("margin") is None else round(step["margin"], 4),
                step.get("decision"),
            ]
            for step in method["steps"]
        ],
    }
