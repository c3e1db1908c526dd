"""Tables of the model stage: Tables 2 and 5, all methods, the tests, gates, pools and robustness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from jointcore.evaluation.measure_catalogue import WITH_CONTROL, Measure
from jointcore.report.model_remarks import (
    BY_CONSTRUCTION,
    DESCRIPTIVE,
    EFFECTS,
    INTERVALS,
    cells_that_are_not_new,
    loss_against_everything,
    resolution,
    savings_where_wrong,
)
from jointcore.report.table import Column, Table
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES, INTERFACE_NAMES, MEASURE_NAMES, STYLE_NAMES
from jointcore.statistics.pool import ALL_FAMILIES
from jointcore.statistics.printing import format_p
from jointcore.statistics.registered_tests import family_note
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from jointcore.statistics.robustness import PUBLISHED_CELLS
from jointcore.statistics.summaries import TABLE2_COLUMNS, mean_over_models, table2_of_means
from jointcore.statistics.summaries import table5 as table5_of_tests
from jointcore.tasks.families import FAMILIES

Statistics = Mapping[str, pd.DataFrame]
"""Name to statistic, see ``jointcore.statistics.cohort_statistics.NAMES``."""

_MODEL = Column("name", "Model")
_ROLE = Column("role", "Role")
_LOW, _HIGH = Column("ci_low", "95% low", 3), Column("ci_high", "95% high", 3)


@dataclass(frozen=True, slots=True)
class CohortTable:
    """A table of a cohort.

    Attributes:
        name: its name in paths and for ``jointcore show``.
        title: its title in the report's list.
        caption: stem of the caption in ``workflow/report``.
        tabulate: makes it out of the statistics.
    """

    name: str
    title: str
    caption: str
    tabulate: Callable[[Statistics, Cohort], Table]

    def __call__(self, statistics: Statistics, cohort: Cohort) -> Table:
        """The table."""
        return self.tabulate(statistics, cohort)


#: The tables of a cohort by name, in the order of this module.
MODEL_TABLES: dict[str, CohortTable] = {}


def _cohort_table(
    name: str, title: str, caption: str
) -> Callable[[Callable[[Statistics, Cohort], Table]], Callable[[Statistics, Cohort], Table]]:
    """Put the decorated function into :data:`MODEL_TABLES`."""

    def register(tabulate: Callable[[Statistics, Cohort], Table]) -> Callable[[Statistics, Cohort], Table]:
        MODEL_TABLES[name] = CohortTable(name, title, caption, tabulate)
        return tabulate

    return register


@_cohort_table("table2", "Table 2, models", "table2")
def table2(statistics: Statistics, cohort: Cohort) -> Table:
    """Table 2: control accuracy, and five measures of JointCore and the singleton, per model."""
    return table2_of(statistics["summary"], cohort, savings_where_wrong(statistics["savings_by_control"]))


def table2_of(means: pd.DataFrame, cohort: Cohort, remark: str = "") -> Table:
    """Table 2 out of per-model means (columns model, method, measure, mean); the last row is the mean over models."""
    data = _named(table2_of_means(means), cohort)
    whole = pd.DataFrame([{"model": "mean", "name": "Mean over models", **mean_over_models(data)}])
    data = pd.concat([data, whole], ignore_index=True)
    columns = [Column(key, column.title, column.measure.digits) for key, column in TABLE2_COLUMNS.items()]
    counts = means["tasks"].max() if "tasks" in means else None
    tasks = f", {counts} tasks per model" if counts else ""
    note = cohort.noted(
        "J: JointCore, S: cost-aware singleton.",
        *(f"{heading}: {measure.caption}." for heading, measure in _table2_measures().items()),
        BY_CONSTRUCTION,
        remark,
    )
    return Table(data, (_MODEL, *columns), cohort.titled(f"Table 2: Model stage{tasks}"), note, f"{cohort.key}-models")


@_cohort_table("table5", "Table 5, queries", "table5")
def table5(statistics: Statistics, cohort: Cohort) -> Table:
    """Table 5: the difference in queries with its interval and the adjusted p-value, per model."""
    tests = statistics["registered_tests"]
    data = _named(table5_of_tests(tests), cohort)
    data["p"] = [format_p(value) for value in data["adjusted_p"]]
    columns = (
        _MODEL,
        Column("difference", "Difference", 2),
        Column("ci_low", "95% low", 2),
        Column("ci_high", "95% high", 2),
        Column("p", "Adjusted p"),
    )
    note = cohort.noted(
        "Queries, JointCore − singleton; paired two-sided sign-flip test.",
        INTERVALS,
        family_note(tests),
        resolution(tests),
    )
    return Table(data, columns, cohort.titled("Table 5: Difference in queries"), note, f"{cohort.key}-queries")


@_cohort_table("tests", "Tests", "table5")
def tests_table(statistics: Statistics, cohort: Cohort) -> Table:
    """The registered tests."""
    tests = statistics["registered_tests"]
    data = _named(tests, cohort)
    data["measure_name"] = data["measure"].map(MEASURE_NAMES)
    data["p"] = [format_p(value) for value in data["p_raw"]]
    data["adjusted"] = [format_p(value) for value in data["p_adjusted"]]
    columns = (
        _MODEL,
        _ROLE,
        Column("measure_name", "Measure"),
        Column("test", "Test"),
        Column("tasks", "Tasks"),
        Column("mean_first", "JointCore", 3),
        Column("mean_second", "Singleton", 3),
        *_effect_columns(),
        Column("p", "p"),
        Column("adjusted", "Adjusted p"),
    )
    note = cohort.noted(
        "Differences are JointCore − singleton; two-sided.",
        family_note(tests),
        resolution(tests),
        INTERVALS,
        EFFECTS,
        BY_CONSTRUCTION,
    )
    title = "Tests" if cohort.local else "Registered tests"
    return Table(data, columns, cohort.titled(title), note, f"{cohort.key}-tests")


@_cohort_table("comparisons", "All paired comparisons", "model_table")
def comparisons_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Every method against JointCore and against the singleton, every measure."""
    data = _named(statistics["comparisons"], cohort)
    data["measure_name"] = data["measure"].map(MEASURE_NAMES)
    for side in ("first", "second"):
        data[f"{side}_name"] = [cohort.methods.get(slug, slug) for slug in data[side]]
    columns = (
        _MODEL,
        Column("first_name", "Method"),
        Column("second_name", "Compared with"),
        Column("measure_name", "Measure"),
        Column("tasks", "Tasks"),
        Column("undefined", "Undefined"),
        Column("mean_first", "Method's mean", 3),
        Column("mean_second", "Other's mean", 3),
        *_effect_columns(),
    )
    note = cohort.noted(
        DESCRIPTIVE,
        "Difference: method − compared with.",
        "Undefined: tasks where one of the two has no value; they are left out.",
        INTERVALS,
        EFFECTS,
    )
    return Table(data, columns, cohort.titled("All paired comparisons"), note, f"{cohort.key}-comparisons")


@_cohort_table("gates", "Gates", "gates")
def gates_table(statistics: Statistics, cohort: Cohort) -> Table:
    """The four gates of every model."""
    data = _named(statistics["gates"], cohort)
    data["required"] = [
        f"{_RULES[rule]} {threshold:g}".replace("-", "−")
        for rule, threshold in zip(data["rule"], data["threshold"], strict=True)
    ]
    data["gate_name"] = data["gate"].str[:1].str.upper() + data["gate"].str[1:]
    columns = (
        _MODEL,
        Column("gate_name", "Gate"),
        Column("value", "Value", 3),
        Column("required", "Required"),
        Column("passed", "Passed"),
        Column("note", "Note"),
    )
    note = cohort.noted(
        "JointCore against the cost-aware singleton. An undefined value does not pass, nor does a single task; where "
        "all tasks agree, the bootstrap interval has no width and the exact bound stands in its place.",
        BY_CONSTRUCTION,
        loss_against_everything(statistics["summary"]),
    )
    return Table(data, columns, cohort.titled("Gates"), note, f"{cohort.key}-gates")


@_cohort_table("pool", "Family-weighted pool", "model_table")
def pool_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Family-weighted pools: both methods of the registered pair and their difference, overall and by family."""
    rows = []
    pool = statistics["pool"]
    for (measure, family), part in pool.groupby(["measure", "family"], sort=False):
        means = {(row.first, row.second): row.mean for row in part.itertuples(index=False)}
        pair = part[part["second"] == SINGLETON]
        if pair.empty:
            continue
        difference = pair.iloc[0]
        rows.append(
            {
                "measure": measure,
                "measure_name": MEASURE_NAMES[measure],
                "family": family,
                "family_name": _family_name(family),
                "jointcore": means.get((JOINTCORE, ""), float("nan")),
                "singleton": means.get((SINGLETON, ""), float("nan")),
                "difference": difference["mean"],
                "ci_low": difference["ci_low"],
                "ci_high": difference["ci_high"],
                "models": difference["models"],
                "tasks": difference["tasks"],
                "undefined": difference["undefined"],
                "empty_cells": difference["empty_cells"],
            }
        )
    order = {name: i for i, name in enumerate((ALL_FAMILIES, *FAMILIES))}
    measures = {name: i for i, name in enumerate(MEASURE_NAMES)}
    rows.sort(key=lambda row: (measures[row["measure"]], order[row["family"]]))
    columns = (
        Column("measure_name", "Measure"),
        Column("family_name", "Family"),
        Column("jointcore", "JointCore", 3),
        Column("singleton", "Singleton", 3),
        Column("difference", "Difference", 3),
        _LOW,
        _HIGH,
        Column("models", "Models"),
        Column("tasks", "Tasks"),
        Column("undefined", "Undefined"),
        Column("empty_cells", "Empty cells"),
    )
    note = cohort.noted(
        DESCRIPTIVE,
        "A family's mean is the mean over models; the pool of all families is the mean over families, which are the "
        "benchmark's own, so that tasks are resampled within each. Both means and the difference are of the same "
        "pairs: Tasks are all distinct tasks, Undefined counts pairs (a model and a task) in which one of the two has "
        "no value, Empty cells the models of a family that have no pair left; neither enters.",
        INTERVALS,
    )
    return Table(pd.DataFrame(rows), columns, cohort.titled("Family-weighted pool"), note, f"{cohort.key}-pool")


@_cohort_table("robustness", "Robustness, every cell", "robustness")
def robustness_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Trajectory success in every cell of memory interface and label style."""
    interfaces, styles = list(INTERFACE_NAMES), list(STYLE_NAMES)
    data = _named(statistics["robustness"], cohort)
    places = [
        (list(cohort.models).index(model), interfaces.index(interface), styles.index(style))
        for model, interface, style in zip(data["model"], data["interface"], data["label_style"], strict=True)
    ]
    data = data.iloc[sorted(range(len(data)), key=places.__getitem__)].reset_index(drop=True)
    published: dict[tuple[str, str], list[str]] = {}
    for column, cell in PUBLISHED_CELLS.items():
        published.setdefault(cell, []).append(CELL_NAMES[column])
    cells = list(zip(data["interface"], data["label_style"], strict=True))
    data["interface_name"] = data["interface"].map(INTERFACE_NAMES)
    data["style_name"] = data["label_style"].map(STYLE_NAMES)
    data["column"] = [", ".join(published.get(cell, [])) for cell in cells]
    columns = (
        _MODEL,
        Column("interface_name", "Interface"),
        Column("style_name", "Labels"),
        Column("column", "Figure 4"),
        Column("tasks", "Tasks"),
        Column("mean_first", "JointCore", 3),
        Column("mean_second", "Singleton", 3),
        Column("difference", "Difference", 3),
        _LOW,
        _HIGH,
        Column("agreement_first", "Agreement, JointCore", 3),
        Column("agreement_second", "Agreement, singleton", 3),
    )
    note = cohort.noted(
        "Trajectory success of the sets selected in the primary run, decided again in each cell without a new search. "
        "Agreement: the action is that of the primary run.",
        cells_that_are_not_new(cells),
        DESCRIPTIVE,
        INTERVALS,
    )
    return Table(data, columns, cohort.titled("Robustness"), note, f"{cohort.key}-robustness")


@_cohort_table("fallback", "Archive fallback", "robustness")
def fallback_table(statistics: Statistics, cohort: Cohort) -> Table:
    """The archive fallback of every model."""
    data = _named(statistics["fallback"], cohort)
    columns = (
        _MODEL,
        Column("robustness_tasks", "Tasks of the label styles"),
        Column("direct_jointcore", "Direct, JointCore"),
        Column("direct_singleton", "Direct, singleton"),
        Column("ab_jointcore", "A/B, JointCore"),
        Column("ab_singleton", "A/B, singleton"),
        Column("reverts", "Reverts to full memory"),
        Column("primary_tasks", "Tasks of the means"),
        Column("behavior", "Behavior", 3),
        Column("savings", "Savings", 3),
    )
    missing = "" if len(data) else "Not determined: this run does not decide UNKNOWN masks in both label styles."
    note = cohort.noted(
        missing,
        "Direct and A/B: tasks with trajectory success among those decided again under each label style. Behavior and "
        "Savings: means over the tasks of the primary run. A model for which JointCore ≥ singleton holds under "
        "one style and not the other keeps its whole archive: behavior 1, savings 0.",
    )
    return Table(data, columns, cohort.titled("Archive fallback"), note, f"{cohort.key}-fallback")


@_cohort_table("methods", "Every method", "model_table")
def methods_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Means of every measure for every model and method."""
    return _means(statistics["summary"], cohort, (), "Model stage, every method", "methods")


@_cohort_table("families", "Every method by family", "model_table")
def families_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Means of every measure for every model, method and family."""
    data = statistics["by_family"].assign(family_name=lambda rows: rows["family"].map(_family_name))
    return _means(data, cohort, ("family_name",), "Model stage by family", "families")


_RULES = {">": ">", ">=": "≥", "<=": "≤"}


def _means(means: pd.DataFrame, cohort: Cohort, by: tuple[str, ...], title: str, name: str) -> Table:
    wide = means.pivot(index=["model", "method", *by], columns="measure", values="mean").reset_index()
    place = {key: i for i, key in enumerate((*cohort.models, *cohort.methods))}
    families = {_family_name(family): i for i, family in enumerate(FAMILIES)}
    order = sorted(
        range(len(wide)),
        key=lambda i: (
            place.get(wide["model"][i], len(place)),
            *(families[wide[column][i]] for column in by),
            place.get(wide["method"][i], len(place)),
        ),
    )
    data = _named(wide.loc[order].reset_index(drop=True).rename_axis(columns=None), cohort)
    left_out = means.pivot(index=["model", "method", *by], columns="measure", values="undefined")
    for key in WITH_CONTROL:
        if left_out[key].any():
            data[f"undefined_{key}"] = left_out[key].reindex(data[["model", "method", *by]]).to_numpy()
    data["method_name"] = [cohort.methods.get(slug, slug) for slug in data["method"]]
    columns = (
        _MODEL,
        *(Column(column, "Family") for column in by),
        Column("method_name", "Method"),
        *(Column(key, measure.name, measure.digits) for key, measure in WITH_CONTROL.items()),
        *(
            Column(f"undefined_{key}", f"Undefined, {measure.name.lower()}")
            for key, measure in WITH_CONTROL.items()
            if f"undefined_{key}" in data
        ),
    )
    note = cohort.noted(
        "Means over tasks; an undefined value is left out of a mean and counted. Descriptive.",
        *(f"{measure.name}: {measure.caption}." for measure in WITH_CONTROL.values()),
    )
    return Table(data, columns, cohort.titled(title), note, f"{cohort.key}-{name}")


def _table2_measures() -> dict[str, Measure]:
    """Heading of Table 2, without the method, to its measure."""
    return {column.title.split(" ")[0]: column.measure for column in TABLE2_COLUMNS.values()}


def _named(data: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    return data.assign(name=[cohort.names.get(model, model) for model in data["model"]])


def _family_name(family: str) -> str:
    return "All families" if family == ALL_FAMILIES else FAMILIES[family].name


def _effect_columns() -> tuple[Column, ...]:
    return Column("difference", "Difference", 3), _LOW, _HIGH, Column("effect", "Effect", 2)
