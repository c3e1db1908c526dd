"""Every figure that the paper prints beside this run's: the exact stage, and the registered cohort's model stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from jointcore.hashing import canonical_json
from jointcore.report.exact_comparison import exact_figures, readable
from jointcore.report.page import table_page
from jointcore.report.table import Table
from jointcore.report.verdicts import COLUMNS, MARKS, NOT_RUN, Figure, comparison_frame, verdict_counts
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES, MEASURE_NAMES
from jointcore.statistics.registration import JOINTCORE, REGISTERED_COHORT, SINGLETON
from jointcore.statistics.robustness import published_columns
from jointcore.statistics.summaries import TABLE2_FORMATS, mean_over_models, table2_of_means
from jointcore.tasks.families import FAMILIES

Statistics = Mapping[str, pd.DataFrame]

#: Checkpoint revision that the study ran, by model key; figures of another one are not compared.
STUDY_REVISIONS: Mapping[str, str] = {
    "qwen25_14b": "cf98f3b3bbb457ad9e2bb7baf9a0125b6b88caa8",
    "gemma4_12b_it": "707f0a3b8a3c7ad586ed01e27eafbad8a27dd0f7",
    "mistral31_24b_4bit": "b28a0cfd2f7fe2293e41ad6ab930b184375daa50",
    "llama33_70b_4bit": "6f6073b423013f6a7d4d9f39144961bfbfbc386b",
}
_NAMES = {
    "qwen25_14b": "Qwen2.5-14B",
    "gemma4_12b_it": "Gemma-4-12B",
    "mistral31_24b_4bit": "Mistral-Small-3.1-24B (4-bit)",
    "llama33_70b_4bit": "Llama-3.3-70B (4-bit)",
}
_STEMS = {
    "behavior": "behavioral_sufficiency",
    "exact": "exact_sufficiency",
    "minimum": "valid_minimum_set",
    "savings": "active_token_savings",
    "queries": "intervention_count",
}
_METHODS = {"jointcore": JOINTCORE, "singleton": SINGLETON}
_SHORT = {"jointcore": "JointCore", "singleton": "singleton"}
_RECORD = "Aggregate record"


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
    frames = [comparison_frame(exact, applies["exact"])]
    figures = list(model_figures(paper, statistics if compared else None, compared))
    frames.append(comparison_frame(figures, applies["model"]))
    frame = pd.concat(frames, ignore_index=True)
    named = frame.assign(what=[readable(what, metrics) for what in frame["what"]])
    places = [
        Table(rows.reset_index(drop=True), COLUMNS, str(place)) for place, rows in named.groupby("place", sort=False)
    ]
    title = "The whole paper: published and reproduced"
    return frame, table_page(title, places, _lead(frame, paper["source"], cohort, applies), MARKS)


def model_figures(paper: Mapping[str, Any], statistics: Statistics | None, cohort: Cohort | None) -> Iterator[Figure]:
    """Every printed figure of the model stage with its counterpart.

    Args:
        paper: the printed figures (``paper.json``).
        statistics: the statistics of the registered cohort; ``None``: no model of it was run.
        cohort: the registered cohort of this run; ``None``: as above.
    """
    run = _Run(statistics, cohort)
    yield from _table2(paper, run)
    yield from _model_means(paper["model_means"], run)
    yield from _families(paper["family_text"], run)
    yield from _cells(paper["figure4"], run)
    yield from _fallback(paper["archive_fallback"], run)
    yield from _table5(paper["table5"], run)


class _Run:
    """This run's figures of the model stage, by what they are of; what was not run is ``None``."""

    def __init__(self, statistics: Statistics | None, cohort: Cohort | None) -> None:
        self.models = dict(cohort.models) if cohort is not None and statistics is not None else {}
        self.complete = set(REGISTERED_COHORT) <= set(self.models)
        self.faithful = all(self.same_checkpoint(model) for model in REGISTERED_COHORT)
        self._table2: dict[tuple[str, str], float] = {}
        self._means: Mapping[str, float] = {}
        self._pool: dict[tuple[str, str, str, str], float] = {}
        self._cells: dict[tuple[str, str, str], float] = {}
        self._reverts: dict[str, bool] = {}
        self._table5: dict[tuple[str, str], float] = {}
        if not self.models or statistics is None:
            return
        table = table2_of_means(statistics["summary"])
        self._table2 = {(row["model"], column): row[column] for _, row in table.iterrows() for column in TABLE2_FORMATS}
        if set(self.models) == set(REGISTERED_COHORT):
            self._means = mean_over_models(table)
            pool = statistics["pool"]
            keys = zip(pool["measure"], pool["first"], pool["second"], pool["family"], strict=True)
            self._pool = dict(zip(keys, pool["mean"], strict=True))
        for row in published_columns(statistics["robustness"]).to_dict("records"):
            for method in _METHODS:
                self._cells[row["model"], row["column"], method] = row[method]
        fallback = statistics["fallback"]
        self._reverts = dict(zip(fallback["model"], map(bool, fallback["reverts"]), strict=True))
        tests = statistics["registered_tests"]
        for row in tests[tests["measure"] == "intervention_count"].to_dict("records"):
            for key in ("difference", "ci_low", "ci_high"):
                self._table5[row["model"], key] = row[key]
            self._table5[row["model"], "adjusted_p"] = row["p_adjusted"]

    def same_checkpoint(self, model: str) -> bool:
        """Whether a model is the checkpoint that the study ran, or was not run."""
        return model not in self.models or self.models[model].get("revision") == STUDY_REVISIONS[model]

    def table2(self, model: str, column: str) -> float | None:
        return self._table2.get((model, column))

    def mean(self, column: str) -> float | None:
        return self._means.get(column)

    def pool(self, measure: str, first: str, second: str, family: str) -> float | None:
        return self._pool.get((measure, first, second, family))

    def cell(self, model: str, column: str, method: str) -> float | None:
        return self._cells.get((model, column, method))

    def reverts(self, model: str) -> bool | None:
        return self._reverts.get(model)

    def table5(self, model: str, key: str) -> float | None:
        return self._table5.get((model, key))


def _table2(paper: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    table = paper["table2"]
    for model in REGISTERED_COHORT:
        for column, value in zip(table["columns"], table[model], strict=True):
            what = f"{_NAMES[model]}: {_column_name(column)}"
            digits = 2 if column.startswith("queries") else 3
            yield _figure("Table 2", what, value, run.table2(model, column), digits, run.same_checkpoint(model))


def _model_means(printed: Mapping[str, float], run: _Run) -> Iterator[Figure]:
    for column, value in printed.items():
        what = f"Mean over the four models: {_column_name(column)}"
        digits = 2 if column.startswith("queries") else 3
        yield _figure("Text, model stage", what, value, run.mean(column), digits, run.faithful)


def _families(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    place = "Text, families (mean over the four models)"
    for key, entry in printed.items():
        if key.endswith("_difference_points"):
            stem = key.removesuffix("_difference_points")
            measure = _STEMS[stem]
            for family, points in entry.items():
                found = run.pool(measure, JOINTCORE, SINGLETON, family)
                what = f"{FAMILIES[family].name}: {MEASURE_NAMES[measure]}, JointCore − singleton, percentage points"
                found = None if found is None else 100 * found
                yield _figure(place, what, points, found, _decimals(points), run.faithful)
        else:
            for stem, values in entry.items():
                measure = _STEMS[stem]
                for (short, method), value in zip(_METHODS.items(), values, strict=True):
                    what = f"{FAMILIES[key].name}: {MEASURE_NAMES[measure]}, {_SHORT[short]}"
                    yield _figure(place, what, value, run.pool(measure, method, "", key), 3, run.faithful)


def _cells(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    for model in REGISTERED_COHORT:
        for column, values in zip(printed["columns"], printed[model], strict=True):
            for method, value in zip(_METHODS, values, strict=True):
                what = f"{_NAMES[model]}: trajectory success, {CELL_NAMES[column]}, {_SHORT[method]}"
                found = run.cell(model, column, method)
                yield _figure("Figure 4", what, value, found, 3, run.same_checkpoint(model))


def _fallback(reverting: list[str], run: _Run) -> Iterator[Figure]:
    for model in REGISTERED_COHORT:
        what = f"{_NAMES[model]}: reverts to full memory"
        found = run.reverts(model)
        yield _figure("Text, archive fallback", what, model in reverting, found, None, run.same_checkpoint(model))


def _table5(printed: Mapping[str, Any], run: _Run) -> Iterator[Figure]:
    titles = {"difference": "difference in queries", "ci_low": "95% low", "ci_high": "95% high"}
    for model in REGISTERED_COHORT:
        values = dict(zip(printed["columns"], printed[model], strict=True))
        for key, value in values.items():
            interval = (values["ci_low"], values["ci_high"]) if key == "difference" else None
            yield _figure(
                "Table 5",
                f"{_NAMES[model]}: {titles[key]}",
                value,
                run.table5(model, key),
                2,
                run.same_checkpoint(model),
                interval,
            )
        found = run.table5(model, "adjusted_p")
        # The paper prints a bound; the comparison is with the bound, at the paper's precision.
        text = None if found is None else printed["adjusted_p"] if found < 0.001 else f"{found:.3f}"
        what = f"{_NAMES[model]}: adjusted p"
        yield _figure("Table 5", what, printed["adjusted_p"], text, None, run.same_checkpoint(model))


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


def _column_name(column: str) -> str:
    stem, _, method = column.partition("_")
    if not method:
        return MEASURE_NAMES["control_accuracy"]
    return f"{MEASURE_NAMES[_STEMS[stem]]}, {_SHORT[method]}"


def _decimals(value: float) -> int:
    return len(repr(value).partition(".")[2])


def _lead(frame: pd.DataFrame, source: str, cohort: Cohort | None, applies: Mapping[str, bool]) -> list[str]:
    lead = [f"{len(frame)} figures that the paper prints ({source}): {verdict_counts(frame)}."]
    missing = [name for model, name in _NAMES.items() if cohort is None or model not in cohort.models]
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
    elif len(missing) < len(_NAMES):
        lead.append(
            "The wording of the prompts is this project's own, and no raw model output was published; model figures "
            "can differ for that reason alone."
        )
    for stage, same in applies.items():
        if not same:
            lead.append(
                f"This run's settings of the {stage} stage are not the study's, so it is another benchmark: the "
                "published figures of that stage do not apply."
            )
    return lead
