"""The report's first page, always there: the numbers that matter, what was reproduced, and the way on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from jointcore.report.figure_page import figure_part
from jointcore.report.pages import document, part
from jointcore.report.terms import TERMS
from jointcore.report.verdicts import AS_PRINTED, DIFFERS, IDENTICAL, INSIDE, NOT_APPLICABLE, NOT_RUN, verdict_counts
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import MEASURE_NAMES
from jointcore.statistics.pool import ALL_FAMILIES
from jointcore.statistics.printing import shown
from jointcore.statistics.registration import JOINTCORE, SINGLETON

ANCHORED = "jointcore_anchored"
_MET = (IDENTICAL, AS_PRINTED, INSIDE)
_RECORD = "Aggregate record"
#: Measure of the model stage to the decimals shown, in the order of the page.
_MEASURES = {
    "behavioral_sufficiency": 3,
    "exact_sufficiency": 3,
    "valid_minimum_set": 3,
    "active_token_savings": 3,
    "intervention_count": 2,
    "trajectory_success": 3,
}
_NOTHING = {"title": "", "value": "–", "beside": "", "lines": (), "badge": "not run", "mark": "mute"}


@dataclass(frozen=True, slots=True)
class CohortResults:
    """What the page says of a cohort.

    Attributes:
        cohort: the cohort.
        pool: its statistic ``pool``.
        warnings: what keeps its run from saying much, see :mod:`jointcore.statistics.run_warnings`.
    """

    cohort: Cohort
    pool: pd.DataFrame
    warnings: Sequence[str] = ()

    def term(self, measure: str, first: str, second: str = "") -> Mapping[str, float] | None:
        """Mean and interval of a measure of a method, or of a difference, over all families and models."""
        pool = self.pool
        found = pool[
            (pool["measure"] == measure)
            & (pool["family"] == ALL_FAMILIES)
            & (pool["first"] == first)
            & (pool["second"].fillna("") == second)
        ]
        return None if found.empty else found.iloc[0][["mean", "ci_low", "ci_high"]].to_dict()

    def text(self, measure: str, first: str, second: str = "") -> str:
        """The same as text: the mean and, in brackets, its interval."""
        found = self.term(measure, first, second)
        return "–" if found is None else interval_text(found, _MEASURES[measure])


def interval_text(found: Mapping[str, float], digits: int) -> str:
    """A mean and its interval as text."""
    mean, low, high = (shown(float(found[key]), digits).replace("-", "−") for key in ("mean", "ci_low", "ci_high"))
    return f"{mean} [{low}, {high}]"


def first_page(
    *,
    metrics: Mapping[str, Any],
    exact: pd.DataFrame,
    digests: Mapping[str, Any],
    whole: pd.DataFrame,
    paper: Mapping[str, Any],
    cohorts: Sequence[CohortResults],
    chart: str,
    published: str,
    links: Mapping[str, str],
    provenance: Mapping[str, str],
) -> str:
    """The page.

    Args:
        metrics: content of ``results/exact/metrics.json``.
        exact: the exact stage's comparison, a row a published figure.
        digests: content of ``results/comparison/exact_digest.json``.
        whole: the whole paper's comparison; of the registered cohort where it was run.
        paper: the printed figures.
        cohorts: the cohorts that were run.
        chart: SVG of cost against quality.
        published: SVG of the published model stage.
        links: name to target of every result that a reader can open.
        provenance: what made the page: name to version.
    """
    matrix = paper_matrix(exact, whole, digests)
    content = part(
        "first_page.html.j2",
        provenance="Made by " + ", ".join(f"{name} {version}" for name, version in provenance.items()) + ".",
        cards=[*_exact_cards(metrics, exact, digests), *_model_cards(cohorts, paper)],
        chart=figure_part(_own_ids(chart, "chart"), _chart_caption(metrics)),
        published=figure_part(_own_ids(published, "published"), _published_caption(whole)),
        warnings=[sentence for results in cohorts for sentence in results.warnings],
        matrix=matrix,
        links=[{"name": name, "target": target} for name, target in links.items()],
        cohorts=[_cohort_table(results) for results in cohorts],
        terms=TERMS,
    )
    title = "JointCore: what was reproduced, and what was found"
    return document(title, content, (), ("figure.css", "first_page.css"))


def paper_matrix(exact: pd.DataFrame, whole: pd.DataFrame, digests: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What became of each place of the paper: reproduced, partly, not run, or not applicable to this run's settings.

    Args:
        exact: the exact stage's comparison, with the aggregate record.
        whole: the whole paper's comparison.
        digests: the digests of the aggregate record.
    """
    rows = []
    for place, figures in whole.groupby("place", sort=False):
        rows.append(_place(str(place), figures))
    record = exact[exact["place"] == _RECORD]
    row = _place(f"{_RECORD}, {len(record)} figures", record)
    digest = f"; digest {'equal' if digests['equal'] else 'not equal'}" if digests["applies"] else ""
    rows.append({**row, "figures": [], "counts": f"{row['counts']}{digest}"})
    return rows


def _place(place: str, figures: pd.DataFrame) -> dict[str, Any]:
    verdicts = set(figures["verdict"])
    if verdicts <= set(_MET):
        status, mark = "reproduced", "good"
    elif verdicts == {NOT_RUN}:
        status, mark = "not run", "mute"
    elif verdicts <= {NOT_RUN, NOT_APPLICABLE}:
        status, mark = "does not apply", "mute"
    elif DIFFERS in verdicts and not verdicts & set(_MET):
        status, mark = "differs", "bad"
    else:
        status, mark = "partly", "mute"
    columns = ["what", "verdict", "published", "reproduced"]
    return {
        "place": place,
        "status": status,
        "mark": mark,
        "counts": verdict_counts(figures),
        "figures": figures[columns].fillna("").to_dict("records"),
    }


def _exact_cards(metrics: Mapping[str, Any], exact: pd.DataFrame, digests: Mapping[str, Any]) -> list[dict[str, Any]]:
    met = exact["verdict"].isin(_MET)
    if digests["applies"]:
        cards = [
            {
                "title": "Published figures met",
                "value": f"{int(met.sum())} of {len(exact)}",
                "beside": "",
                "lines": [
                    f"Exact stage: {verdict_counts(exact)}.",
                    f"Digest of the aggregate record: {'equal' if digests['equal'] else 'NOT equal'} "
                    f"({digests['reproduced'][:8]}…).",
                ],
                "badge": "reproduced" if met.all() and digests["equal"] else "differs",
                "mark": "good" if met.all() and digests["equal"] else "bad",
            }
        ]
    else:
        note = (
            f"This run has another grid or other settings than the study's, so its {len(exact)} figures do not apply."
        )
        cards = [{**_NOTHING, "title": "Published figures met", "lines": [note], "badge": "does not apply"}]
    overall = metrics["metrics"]["overall"]
    counts = {
        slug: shown(overall[slug]["intervention_count"], 2)
        for slug in (JOINTCORE, SINGLETON, ANCHORED)
        if slug in overall
    }
    conditions = next(iter(overall.values()))["records"]
    lines = []
    if SINGLETON in counts:
        lines.append(f"Cost-aware singleton: {counts[SINGLETON]}.")
    if ANCHORED in counts:
        lines.append(f"Anchored JointCore, added by this project: {counts[ANCHORED]}.")
    lines.append(f"Mean over {conditions:,} conditions, the logical rule as the judge.")
    reproduced = digests["applies"] and digests["equal"]
    cards.append(
        {
            "title": "Evaluations, JointCore",
            "value": counts.get(JOINTCORE, "–"),
            "beside": f"against {counts[SINGLETON]}" if SINGLETON in counts else "",
            "lines": lines,
            "badge": "reproduced" if reproduced else "another grid",
            "mark": "good" if reproduced else "mute",
        }
    )
    return cards


def _model_cards(cohorts: Sequence[CohortResults], paper: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Behavior and sufficiency, savings, and calls: of a cohort, the registered one first, else published."""
    table = paper["table2"]
    printed = {
        column: [table[model][position] for model in table if model != "columns"]
        for position, column in enumerate(table["columns"])
    }

    def span(column: str, digits: int) -> str:
        low, high = min(printed[column]), max(printed[column])
        return f"{low:.{digits}f}" if low == high else f"{low:.{digits}f} to {high:.{digits}f}"

    means = paper["model_means"]
    published = {
        "behavior": f"Published, four models: behavior {span('behavior_jointcore', 3)}, exact sufficiency "
        f"{span('exact_jointcore', 3)} (singleton {span('exact_singleton', 3)}).",
        "savings": f"Published, four models: {span('savings_jointcore', 3)} "
        f"(singleton {span('savings_singleton', 3)}).",
        "calls": f"Published, mean of four models: {means['queries_jointcore']:.2f} against "
        f"{means['queries_singleton']:.2f}.",
    }
    titles = {"behavior": "Models: behavior kept", "savings": "Models: savings", "calls": "Models: calls a task"}
    if not cohorts:
        values = {
            "behavior": span("behavior_jointcore", 3),
            "savings": span("savings_jointcore", 3),
            "calls": f"{means['queries_jointcore']:.2f}",
        }
        return [
            {**_NOTHING, "title": titles[key], "value": values[key], "beside": "published", "lines": [published[key]]}
            for key in titles
        ]
    results = next((results for results in cohorts if not results.cohort.local), cohorts[0])
    cohort = results.cohort
    badge, mark = ("local demonstration", "mute") if cohort.local else ("run here", "good")
    measures = {
        "behavior": "behavioral_sufficiency",
        "savings": "active_token_savings",
        "calls": "intervention_count",
    }
    cards = []
    for key, measure in measures.items():
        found, digits = results.term(measure, JOINTCORE), _MEASURES[measure]
        lines = [f"Singleton: {results.text(measure, SINGLETON)}."]
        if key == "behavior":
            lines.append(f"Exact sufficiency: {results.text('exact_sufficiency', JOINTCORE)}.")
        else:
            lines.append(f"Difference: {results.text(measure, JOINTCORE, SINGLETON)}.")
        beside = "" if found is None else interval_text(found, digits).partition(" ")[2]
        value = "–" if found is None else shown(float(found["mean"]), digits)
        lines.append(published[key])
        cards.append(
            {"title": titles[key], "value": value, "beside": beside, "lines": lines, "badge": badge, "mark": mark}
        )
    return cards


def _cohort_table(results: CohortResults) -> dict[str, Any]:
    cohort = results.cohort
    rows = [
        {
            "name": MEASURE_NAMES[measure],
            "first": results.text(measure, JOINTCORE),
            "second": results.text(measure, SINGLETON),
            "difference": results.text(measure, JOINTCORE, SINGLETON),
        }
        for measure in _MEASURES
    ]
    count = len(cohort.models)
    note = cohort.noted(
        f"Means over {count} model{'s' if count > 1 else ''} and all families, with 95% intervals over tasks; "
        "JointCore minus the cost-aware singleton. The intervals are of each number by itself."
    )
    return {"title": cohort.titled("Model stage"), "note": note, "rows": rows}


def _chart_caption(metrics: Mapping[str, Any]) -> str:
    added = sum(not method["study"] for method in metrics["methods"])
    return (
        "Up and left is better: how often the cheapest sufficient set is found, against the decisions asked for. Left: "
        f"the published methods; right: {added} that this project adds, JointCore beside them. The exact oracle knows "
        "the rule and asks nothing."
    )


def _published_caption(whole: pd.DataFrame) -> str:
    models = whole[whole["place"].isin(["Table 2", "Table 5"])]
    state = "not run here" if set(models["verdict"]) <= {NOT_RUN} else "this run's are in Table 2 and Figure 2"
    return f"What the paper prints for its four models (Tables 2 and 5); {state}."


def _own_ids(svg: str, name: str) -> str:
    """The drawing with identities of its own, so that two fit on one page."""
    named = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return named.replace('"figure-title figure-desc"', f'"{name}-figure-title {name}-figure-desc"')
