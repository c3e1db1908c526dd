"""Every figure that the paper prints beside this run's: the exact stage, and the registered cohort's model stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.hashing import canonical_json
from jointcore.report.exact_comparison import EXAMPLE, exact_figures, readable
from jointcore.report.page import table_page
from jointcore.report.table import Table
from jointcore.report.verdicts import COLUMNS, MARKS, NOT_RUN, Figure, comparison_frame, verdict_counts
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES
from jointcore.statistics.printing import format_p
from jointcore.statistics.registered_tests import COMPLETE
from jointcore.statistics.registration import JOINTCORE, LEGACY, SINGLETON, STUDY_MODELS
from jointcore.statistics.robustness import published_columns
from jointcore.statistics.summaries import TABLE2_COLUMNS, TABLE2_FORMATS, mean_over_models, table2_of_means
from jointcore.statistics.vectors import exact_mean
from jointcore.tasks.families import FAMILIES

Statistics = Mapping[str, pd.DataFrame]

#: Key of the published figures to the measure that they are of.
_MEASURES = {
    "minimum": MEASURES["valid_minimum_set"],
    "savings": MEASURES["active_token_savings"],
    "exact": MEASURES["exact_sufficiency"],
    "minimum_difference_points": MEASURES["valid_minimum_set"],
    "savings_difference_points": MEASURES["active_token_savings"],
}
_METHODS = {JOINTCORE: "JointCore", SINGLETON: "singleton"}
_RECORD = "Aggregate record"
_EXACT_TEXT, _MODEL_TEXT = "Text, exact stage", "Text, model stage"
_CELLS, _FALLBACK = "Figure 4", "Text, archive fallback"


def compare_paper(
    *,
    record: Mapping[str, Any],
    paper: Mapping[str, Any],
    settings: Mapping[str, Any],
    metrics: Mapping[str, Any],
    example: Mapping[str, Any],
    run_settings: Mapping[str, Any],
    cohort: Cohort | None,
    statistics: Statistics | None,
) -> tuple[pd.DataFrame, str]:
    """Compare a run with the whole paper.

    Args:
        record, paper, settings: the published figures and the settings that they were made under.
        metrics, example: this run's exact stage.
        run_settings: this run's settings of the stages, ``exact`` and ``model``.
        cohort: the cohort of the model stage that was run; ``None``: no model was run.
        statistics: its statistics. Those of a local demonstration are not compared: its models are not the paper's,
            so that all model figures are "not run".

    Returns:
        The comparison, a row a printed figure, and its page.
    """
    compared = None if cohort is None or cohort.local else cohort
    applies = {stage: canonical_json(run_settings[stage]) == canonical_json(settings[stage]) for stage in run_settings}
    exact = [figure for figure in exact_figures(record, paper, metrics, example) if figure.place != _RECORD]
    exact += _exact_text(paper, metrics["metrics"], example)
    model = list(model_figures(paper, statistics if compared else None, compared))
    # What was decided again on a part of the tasks applies only if it is the study's part of the study's tasks.
    again = [figure for figure in model if figure.place in (_CELLS, _FALLBACK)]
    once = [figure for figure in model if figure not in again]
    frame = pd.concat(
        [
            comparison_frame(exact, applies["exact"]),
            comparison_frame(once, applies["model"]),
            comparison_frame(again, applies["model"] and applies["robustness"]),
        ],
        ignore_index=True,
    )
    named = frame.assign(what=[readable(what, metrics) for what in frame["what"]])
    places = [
        Table(rows.reset_index(drop=True), COLUMNS, str(place)) for place, rows in named.groupby("place", sort=False)
    ]
    title = "The whole paper: published and reproduced"
    return frame, table_page(title, places, _lead(frame, paper["source"], cohort, applies), MARKS)


def _exact_text(paper: Mapping[str, Any], metrics: Mapping[str, Any], example: Mapping[str, Any]) -> Iterator[Figure]:
    """Figures of the text and the zero cells of Table 4, which the record and the other tables do not hold."""
    overall, printed = metrics["overall"], paper["percentages"]
    saved = missed = None
    if JOINTCORE in overall and SINGLETON in overall:
        asked = [overall[slug]["intervention_count"] for slug in (JOINTCORE, SINGLETON)]
        saved = 100 * (1 - asked[0] / asked[1]) if asked[1] else None
    if LEGACY in overall:
        missed = 100 * (1 - overall[LEGACY]["valid_minimum_set"])
    what = "Evaluations saved by JointCore against the singleton, percent"
    yield _figure(_EXACT_TEXT, what, printed["exact_evaluations_saved"], saved, 1, True)
    what = "Conditions in which the legacy order misses the minimum-cost sets, percent"
    yield _figure(_EXACT_TEXT, what, printed["exact_legacy_order_misses"], missed, 1, True)
    methods = {method["slug"]: method for method in example["methods"]}
    for slug, cells in paper["zero_cells"].items():
        for key, value in cells.items():
            found = methods[slug][key] if slug in methods else None
            yield Figure(EXAMPLE, f"{slug}: {key}", value, found, missing=found is None)


def model_figures(paper: Mapping[str, Any], statistics: Statistics | None, cohort: Cohort | None) -> Iterator[Figure]:
    """Every printed figure of the model stage with its counterpart.

    Args:
        paper: the printed figures (``paper.json``).
        statistics: the statistics of the registered cohort; ``None``: no model of it was run.
        cohort: the registered cohort of this run; ``None``: as above.
    """
    run = _Run(statistics, cohort)
    yield from _table2(paper, run)
    yield from _model_means(paper, run)
    yield from _families(paper["family_text"], run)
    yield from _cells(paper["figure4"], run)
    yield from _fallback(paper, run)
    yield from _table5(paper["table5"], run)


class _Run:
    """This run's figures of the model stage, by what they are of; what was not run is not there.

    Means over the four models are those of the study's four, whatever other models a cohort holds.
    """

    def __init__(self, statistics: Statistics | None, cohort: Cohort | None) -> None:
        self.models = dict(cohort.models) if cohort is not None and statistics is not None else {}
        self.faithful = all(self.same_checkpoint(model) for model in STUDY_MODELS)
        self.table2: dict[tuple[str, str], float] = {}
        self.means: Mapping[str, float] = {}
        self.cells: dict[tuple[str, str, str], float] = {}
        self.fallback: dict[str, Mapping[str, Any]] = {}
        self.table5: dict[tuple[str, str], float] = {}
        self.adjusted: dict[str, tuple[float, int, bool]] = {}
        self._families: dict[tuple[str, str, str, str], float] = {}
        if not self.models or statistics is None:
            return
        table = table2_of_means(statistics["summary"])
        self.table2 = {(row["model"], column): row[column] for _, row in table.iterrows() for column in TABLE2_FORMATS}
        if set(STUDY_MODELS) <= set(self.models):
            self.means = mean_over_models(table[table["model"].isin(STUDY_MODELS)])
            rows = statistics["by_family"][["model", "method", "family", "measure", "mean"]]
            self._families = {tuple(row[:4]): float(row[4]) for row in rows.itertuples(index=False)}
        for row in published_columns(statistics["robustness"]).to_dict("records"):
            self.cells[row["model"], row["column"], JOINTCORE] = row["jointcore"]
            self.cells[row["model"], row["column"], SINGLETON] = row["singleton"]
        self.fallback = {row["model"]: row for row in statistics["fallback"].to_dict("records")}
        tests = statistics["registered_tests"]
        for row in tests[tests["measure"] == "intervention_count"].to_dict("records"):
            for key in ("difference", "ci_low", "ci_high"):
                self.table5[row["model"], key] = row[key]
            complete = row["family_status"] == COMPLETE
            self.adjusted[row["model"]] = row["p_adjusted"], int(row["family_size"]), complete

    def same_checkpoint(self, model: str) -> bool:
        """Whether a model is the checkpoint that the study ran, or was not run."""
        return model not in self.models or STUDY_MODELS[model].is_of(self.models[model])

    def family(self, measure: str, method: str, family: str) -> float | None:
        """Mean over the four models of a family's mean."""
        means = [self._families.get((model, method, family, measure)) for model in STUDY_MODELS]
        return None if None in means else exact_mean(means)


def _table2(paper: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    table = paper["table2"]
    for model, known in STUDY_MODELS.items():
        for key, value in zip(table["columns"], table[model], strict=True):
            what, digits = f"{known.name}: {_column_name(key)}", TABLE2_COLUMNS[key].measure.digits
            yield _figure("Table 2", what, value, run.table2.get((model, key)), digits, run.same_checkpoint(model))


def _model_means(paper: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    for key, value in paper["model_means"].items():
        what, digits = f"Mean over the four models: {_column_name(key)}", TABLE2_COLUMNS[key].measure.digits
        yield _figure(_MODEL_TEXT, what, value, run.means.get(key), digits, run.faithful)
    asked = [run.means.get(key) for key in ("queries_jointcore", "queries_singleton")]
    saved = None if None in asked else 100 * (1 - asked[0] / asked[1])
    what = "Mean over the four models: queries saved by JointCore against the singleton, percent"
    yield _figure(_MODEL_TEXT, what, paper["percentages"]["model_queries_saved"], saved, 1, run.faithful)


def _families(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    place = "Text, families (mean over the four models)"
    for key, entry in printed.items():
        if key in _MEASURES:
            measure = _MEASURES[key]
            for family, points in entry.items():
                ours, other = (run.family(measure.key, method, family) for method in _METHODS)
                found = None if ours is None or other is None else 100 * (ours - other)
                what = f"{FAMILIES[family].name}: {measure.name}, JointCore − singleton, percentage points"
                yield _figure(place, what, points, found, _decimals(points), run.faithful)
        else:
            for stem, values in entry.items():
                measure = _MEASURES[stem]
                for (method, short), value in zip(_METHODS.items(), values, strict=True):
                    what = f"{FAMILIES[key].name}: {measure.name}, {short}"
                    yield _figure(place, what, value, run.family(measure.key, method, key), 3, run.faithful)


def _cells(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    for model, known in STUDY_MODELS.items():
        for column, values in zip(printed["columns"], printed[model], strict=True):
            for (method, short), value in zip(_METHODS.items(), values, strict=True):
                what = f"{known.name}: trajectory success, {CELL_NAMES[column]}, {short}"
                found = run.cells.get((model, column, method))
                yield _figure(_CELLS, what, value, found, 3, run.same_checkpoint(model))


def _fallback(paper: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    for model, known in STUDY_MODELS.items():
        found, same = run.fallback.get(model), run.same_checkpoint(model)
        reverts = None if found is None else bool(found["reverts"])
        fell = model in paper["archive_fallback"]
        yield _figure(_FALLBACK, f"{known.name}: reverts to full memory", fell, reverts, None, same)
        for key, value in paper["archive_fallback_result"].items() if fell else ():
            yield _figure(_FALLBACK, f"{known.name}: {key} after it", value, found and found[key], 3, same)


def _table5(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    titles = {"difference": "difference in queries", "ci_low": "95% low", "ci_high": "95% high"}
    for model, known in STUDY_MODELS.items():
        same = run.same_checkpoint(model)
        values = dict(zip(printed["columns"], printed[model], strict=True))
        for key, value in values.items():
            interval = (values["ci_low"], values["ci_high"]) if key == "difference" else None
            found = run.table5.get((model, key))
            yield _figure("Table 5", f"{known.name}: {titles[key]}", value, found, 2, same, interval)
        what, text = f"{known.name}: adjusted p", None
        if model in run.adjusted:
            p, size, complete = run.adjusted[model]
            # The paper prints a bound, of its family of twelve: a p of another family is not compared with it.
            text = format_p(p) if complete else f"{format_p(p)} of a family of {size} tests"
            same = same and complete
        yield _figure("Table 5", what, printed["adjusted_p"], text, None, same)


def _figure(
    place: str,
    what: str,
    published: Any,
    found: Any,
    digits: int | None,
    applies: bool,
    interval: tuple[float, float] | None = None,
) -> Figure:
    missing = found is None
    value = found if missing or isinstance(found, bool | str) else float(found)
    return Figure(place, what, published, value, digits, missing, interval, applies)


def _column_name(key: str) -> str:
    column = TABLE2_COLUMNS[key]
    return f"{column.measure.name}, {column.label}" if column.label else column.measure.name


def _decimals(value: float) -> int:
    return len(repr(value).partition(".")[2])


def _lead(frame: pd.DataFrame, source: str, cohort: Cohort | None, applies: Mapping[str, bool]) -> list[str]:
    lead = [
        f"{len(frame)} figures that the paper prints ({source}): {verdict_counts(frame)}.",
        "Not among them, since it is not known which of the two it is of: the yes/no column of Table 4 (the set is "
        "sufficient, or it is of minimum cost); this run's Table 4 has both. What 62.9%, 6.7% and 35.8% are of was "
        "found by computing them: evaluations saved, the legacy order's misses, queries saved.",
    ]
    missing = [known.name for model, known in STUDY_MODELS.items() if cohort is None or model not in cohort.models]
    if missing:
        lead.append(
            f"Not run here: {', '.join(missing)}. Their figures, and means over the four models, show as “{NOT_RUN}”; "
            "nothing of them is reproduced."
        )
    if cohort is not None and cohort.local:
        lead.append(
            "This run's model stage is a local demonstration. The published model figures do not apply to it, so it is "
            "compared with none of them."
        )
    elif len(missing) < len(STUDY_MODELS):
        lead.append(
            "The wording of the prompts is this project's own, and no raw model output was published; model figures "
            "can differ for that reason alone."
        )
    different = [stage for stage, same in applies.items() if not same]
    for stage in different:
        if stage != "robustness":
            lead.append(
                f"This run's settings of the {stage} stage are not the study's, so it is another benchmark: the "
                "published figures of that stage do not apply."
            )
        elif "model" not in different:
            lead.append(
                "This run decides another part of the tasks again than the study's every fourth, so the published "
                "figures of the robustness cells and of the archive fallback do not apply."
            )
    return lead
