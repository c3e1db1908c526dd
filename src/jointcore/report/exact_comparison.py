"""Every published figure of the exact stage beside this run's, and the published record's digest from this run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from jointcore.hashing import canonical_json, sha256
from jointcore.report.page import table_page
from jointcore.report.table import Table
from jointcore.report.verdicts import COLUMNS, MARKS, Figure, comparison_frame, verdict_counts

#: Column of the printed Table 1, the measure, and the decimals printed.
_TABLE1 = {
    "exact_sufficiency": ("exact_sufficiency", 3),
    "minimum_cost_recovery": ("valid_minimum_set", 3),
    "savings": ("active_token_savings", 3),
    "evaluations": ("intervention_count", 2),
}
EXAMPLE = "Table 4 and Figure 1"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The exact stage, published beside reproduced.

    Attributes:
        frame: a row a published figure, see :func:`jointcore.report.verdicts.comparison_frame`.
        digests: the published and the reproduced digest, whether they are equal, and whether they apply.
        page: the comparison as a page.
    """

    frame: pd.DataFrame
    digests: dict[str, Any]
    page: str


def compare_exact_stage(
    *,
    record: Mapping[str, Any],
    paper: Mapping[str, Any],
    settings: Mapping[str, Any],
    metrics: Mapping[str, Any],
    example: Mapping[str, Any],
    run_settings: Mapping[str, Any],
) -> Comparison:
    """Compare the exact stage of a run with the published one.

    Args:
        record: the published aggregate record (``exact_metrics.json``).
        paper: the printed figures (``paper.json``).
        settings: the settings that the published figures were made under (``settings.json``).
        metrics: this run's aggregates.
        example: this run's worked example.
        run_settings: this run's settings; the published figures apply if they are equal to the published ones.
    """
    applies = canonical_json(run_settings) == canonical_json(settings["exact"])
    frame = comparison_frame(exact_figures(record, paper, metrics, example), applies)
    published, reproduced = record["record_sha256"], reproduced_digest(record, metrics)
    digests = {"published": published, "reproduced": reproduced, "equal": published == reproduced, "applies": applies}
    lead = _lead(frame, digests, paper["source"])
    named = frame.assign(what=[readable(what, metrics) for what in frame["what"]])
    places = [
        Table(rows.reset_index(drop=True), COLUMNS, str(place)) for place, rows in named.groupby("place", sort=False)
    ]
    return Comparison(frame, digests, table_page("Exact stage: published and reproduced", places, lead, MARKS))


def exact_figures(
    record: Mapping[str, Any], paper: Mapping[str, Any], run: Mapping[str, Any], example: Mapping[str, Any]
) -> list[Figure]:
    """Every published figure of the exact stage with its counterpart.

    Args:
        record: the published aggregate record (``exact_metrics.json``).
        paper: the printed figures (``paper.json``).
        run: this run's aggregates (``results/exact/metrics.json``).
        example: this run's worked example (``results/exact/worked_example.json``).
    """
    metrics = run["metrics"]
    return [
        *_table1(paper, metrics),
        *_evaluations_by_n(paper, metrics),
        *_worked_example(paper["worked_example"], example),
        *_record(record["metrics"], metrics),
    ]


def reproduced_digest(record: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """SHA-256 of the published record's canonical JSON with this run's figures in place of the published ones.

    What the record says of its own making (dates, hashes of its sources) is taken from it; every figure, the
    number of conditions and the number of outcomes are this run's. Methods that the study does not have are left out.

    Args:
        record: the published aggregate record.
        run: this run's aggregates.
    """
    study = [method["slug"] for method in run["methods"] if method["study"]]

    def of_study(methods: Mapping[str, Any]) -> dict[str, Any]:
        return {slug: values for slug, values in methods.items() if slug in study}

    metrics = {
        grouping: of_study(groups) if grouping == "overall" else {g: of_study(m) for g, m in groups.items()}
        for grouping, groups in run["metrics"].items()
    }
    counts = [values["records"] for values in metrics["overall"].values()]
    rebuilt = {
        **{key: value for key, value in record.items() if key not in ("metrics", "record_sha256")},
        "metrics": metrics,
        "method_records": sum(counts),
        "task_count": max(counts, default=0),
    }
    return sha256(canonical_json(rebuilt))


def readable(what: str, run: Mapping[str, Any]) -> str:
    """What a figure is of, with the paper's names for slugs."""
    names = {**run["families"], **{method["slug"]: method["name"] for method in run["methods"]}}
    words = [names.get(word, word.replace("_", " ")) for word in what.replace(":", " :").split(" ")]
    return " ".join(words).replace(" :", ":")


def _lead(frame: pd.DataFrame, digests: Mapping[str, Any], source: str) -> list[str]:
    lead = [
        f"{len(frame)} published figures ({source}): {verdict_counts(frame)}.",
        f"Digest of the aggregate record, published: {digests['published']}.",
        f"Digest rebuilt from this run's aggregates: {digests['reproduced']}: "
        + ("equal." if digests["equal"] else "not equal."),
        "What the record says of its own making (dates, hashes of its sources) cannot come out of a run and is taken "
        "from the published record; every figure and every count under the digest is this run's.",
    ]
    if not digests["applies"]:
        lead.insert(
            0,
            "The published figures do not apply: this run's grid or settings are not the study's, so it is another "
            "benchmark. They are shown for orientation only.",
        )
    return lead


def _table1(paper: Mapping[str, Any], metrics: Mapping[str, Any]) -> Iterator[Figure]:
    table = paper["table1"]
    for slug, printed in table.items():
        if slug == "columns":
            continue
        for column, value in zip(table["columns"], printed, strict=True):
            measure, digits = _TABLE1[column]
            yield _figure("Table 1", f"{slug}: {column}", value, metrics, ("overall", slug, measure), digits)


def _evaluations_by_n(paper: Mapping[str, Any], metrics: Mapping[str, Any]) -> Iterator[Figure]:
    for slug, by_n in paper["evaluations_by_n"].items():
        for n, value in by_n.items():
            path = ("by_candidate_count", n, slug, "intervention_count")
            yield _figure("Text, exact stage", f"{slug}: evaluations at n = {n}", value, metrics, path, 2)


def _worked_example(printed: Mapping[str, Any], example: Mapping[str, Any]) -> Iterator[Figure]:
    yield Figure(EXAMPLE, "condition", printed["condition"], example["condition"])
    yield Figure(EXAMPLE, "cost of full memory", printed["full_cost"], example["full_cost"])
    methods = {method["slug"]: method for method in example["methods"]}
    for slug, figures in printed.items():
        if not isinstance(figures, Mapping):
            continue
        found = methods.get(slug)
        for key, value in figures.items():
            if found is None:
                yield Figure(EXAMPLE, f"{slug}: {key}", value, missing=True)
            elif key == "group_sizes":
                sizes = tuple(len(step["group"]) for step in found["steps"])
                yield Figure(EXAMPLE, f"{slug}: {key}", tuple(value), sizes)
            elif key == "deletions_at":
                deletions = tuple(i for i, step in enumerate(found["steps"], 1) if step["dropped"])
                yield Figure(EXAMPLE, f"{slug}: {key}", tuple(value), deletions)
            else:
                yield Figure(EXAMPLE, f"{slug}: {key}", value, found[key])


def _record(published: Mapping[str, Any], metrics: Mapping[str, Any]) -> Iterator[Figure]:
    for path, value in sorted(_leaves(published)):
        yield _figure("Aggregate record", ": ".join((" ".join(path[:-1]), path[-1])), value, metrics, path, None)


def _leaves(tree: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def _figure(
    place: str, what: str, value: Any, metrics: Mapping[str, Any], path: tuple[str, ...], digits: int | None
) -> Figure:
    found: Any = metrics
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            return Figure(place, what, value, digits=digits, missing=True)
        found = found[key]
    return Figure(place, what, value, found, digits)
