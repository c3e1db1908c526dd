"""The last lines of a run: what was found, where it is, and what comes next."""

from __future__ import annotations

from pathlib import Path

from jointcore.csv_files import read_csv
from jointcore.errors import InputError
from jointcore.files import read_json
from jointcore.report.verdicts import verdict_counts
from jointcore.statistics.cohort import COHORT_NAMES, LOCAL
from jointcore.statistics.cohort_statistics import read_cohort
from jointcore.statistics.run_warnings import run_warnings

_TEXT = ("published", "reproduced", "verdict")
_COHORT = ("cohort.json", "summary.csv")


def closing_lines(results: Path) -> list[str]:
    """At most five lines on the results of a folder; none where the exact stage has not come to its end.

    A result that cannot be read is said in its place: the run that ends here has not failed.
    """
    if not (results / "comparison/exact_digest.json").exists():
        return []
    try:
        return _lines(results)
    except InputError as error:
        return [f"The results are there, but not all can be read: {error}"]


def _lines(results: Path) -> list[str]:
    made, digests = read_json(results / "exact/settings.json"), read_json(results / "comparison/exact_digest.json")
    grid = f"Exact stage: {made['conditions']:,} conditions, {len(made['methods'])} methods. "
    if digests["applies"]:
        frame = read_csv(results / "comparison/exact.csv", text=_TEXT)
        equal = "equals" if digests["equal"] else "DIFFERS from"
        lines = [f"{grid}Published figures: {verdict_counts(frame)}; the digest {equal} the published one."]
    else:
        lines = [f"{grid}Another grid or B than published, so the published figures do not apply."]
    pages = [results / "comparison/exact.html"]
    done = [cohort for cohort in COHORT_NAMES if (results / f"report/{cohort}/summary.html").exists()]
    for cohort in done:
        pages.append(results / f"report/{cohort}/summary.html")
        described, statistics = read_cohort([results / f"statistics/{cohort}/{name}" for name in _COHORT])
        models = ", ".join(described.names.values())
        note = ", which say nothing about the ability of language models" if cohort == LOCAL else ""
        warned = "; ".join(run_warnings(statistics["summary"], described.names))
        lines.append(f"Model stage, {COHORT_NAMES[cohort]}: {models}{note}.{f' WARNING: {warned}.' if warned else ''}")
    lines.append(f"Read: {', '.join(map(str, pages))}; {results}/tables and {results}/figures hold the rest.")
    study = "" if done else "; a model as the judge: snakemake --cores all local_study"
    lines.append(f"Next: snakemake --report report.html shows all of it on one page{study}.")
    return lines
