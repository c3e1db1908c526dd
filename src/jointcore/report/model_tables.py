"""Tables of the model stage: Tables 2 and 5, all methods, the tests, gates, pools and robustness."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from jointcore.report.table import Column, Table
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.names import CELL_NAMES, INTERFACE_NAMES, MEASURE_NAMES, STYLE_NAMES
from jointcore.statistics.pool import ALL_FAMILIES
from jointcore.statistics.printing import format_p
from jointcore.statistics.registered_tests import family_note
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from jointcore.statistics.robustness import PUBLISHED_CELLS
from jointcore.statistics.summaries import TABLE2_FORMATS, mean_over_models, table2_of_means
from jointcore.statistics.summaries import table5 as table5_of_tests
from jointcore.tasks.families import FAMILIES

Statistics = Mapping[str, pd.DataFrame]
"""Name to statistic, see ``jointcore.statistics.cohort_statistics.NAMES``."""

_MODEL = Column("name", "Model")
_ROLE = Column("role", "Role")
_LOW, _HIGH = Column("ci_low", "95% low", 3), Column("ci_high", "95% high", 3)
_TABLE2_TITLES = {
    "control": "Control",
    "behavior": "Behavior",
    "exact": "Exact",
    "minimum": "Minimum",
    "savings": "Savings",
    "queries": "Queries",
}
_DESCRIPTIVE = "Descriptive: intervals and effect sizes, no tests."
_INTERVALS = "Intervals: 95%, task-cluster bootstrap, 2,000 replicates, percentile."


def table2(statistics: Statistics, cohort: Cohort) -> Table:
    """Table 2: control accuracy, and five measures of JointCore and the singleton, per model."""
    return table2_of(statistics["summary"], cohort)


def table2_of(means: pd.DataFrame, cohort: Cohort) -> Table:
    """Table 2 out of per-model means (columns model, method, measure, mean); the last row is the mean over models."""
    data = _named(table2_of_means(means), cohort)
    whole = pd.DataFrame([{"model": "mean", "name": "Mean over models", **mean_over_models(data)}])
    data = pd.concat([data, whole], ignore_index=True)
    columns = [Column(key, _table2_title(key), 2 if key.startswith("queries") else 3) for key in TABLE2_FORMATS]
    counts = means["tasks"].max() if "tasks" in means else None
    tasks = f", {counts} tasks per model" if counts else ""
    note = cohort.noted(
        "J: JointCore, S: cost-aware singleton. Control: full memory is decided as the rule says. Behavior: the "
        "decision on the selected set is that on full memory. Exact: the set satisfies the rule. Minimum: "
        "minimum-cost recovery. Queries: evaluations of the search, full memory not counted."
    )
    return Table(data, (_MODEL, *columns), cohort.titled(f"Table 2: Model stage{tasks}"), note, f"{cohort.key}-models")


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
    note = cohort.noted("Queries, JointCore − singleton; paired sign-flip test.", _INTERVALS, family_note(tests))
    return Table(data, columns, cohort.titled("Table 5: Difference in queries"), note, f"{cohort.key}-queries")


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
        _INTERVALS,
        "Effect: matched odds ratio of booleans, Cohen's d_z of numbers; a dash is undefined (the CSV says why).",
    )
    title = "Tests" if cohort.local else "Registered tests"
    return Table(data, columns, cohort.titled(title), note, f"{cohort.key}-tests")


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
        Column("mean_first", "Method's mean", 3),
        Column("mean_second", "Other's mean", 3),
        *_effect_columns(),
    )
    note = cohort.noted(
        _DESCRIPTIVE,
        "Difference: method − compared with.",
        _INTERVALS,
        "Effect: matched odds ratio of booleans, Cohen's d_z of numbers.",
    )
    return Table(data, columns, cohort.titled("All paired comparisons"), note, f"{cohort.key}-comparisons")


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
    )
    note = cohort.noted("JointCore against the cost-aware singleton; an undefined value does not pass.")
    return Table(data, columns, cohort.titled("Gates"), note, f"{cohort.key}-gates")


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
        Column("tasks", "Tasks"),
    )
    note = cohort.noted(
        _DESCRIPTIVE,
        "A family's mean is the mean over models; the pool of all families is the mean over families.",
        "A pair with one undefined value is left out of the difference.",
        _INTERVALS,
    )
    return Table(pd.DataFrame(rows), columns, cohort.titled("Family-weighted pool"), note, f"{cohort.key}-pool")


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
        _DESCRIPTIVE,
        _INTERVALS,
    )
    return Table(data, columns, cohort.titled("Robustness"), note, f"{cohort.key}-robustness")


def fallback_table(statistics: Statistics, cohort: Cohort) -> Table:
    """The archive fallback of every model."""
    data = _named(statistics["fallback"], cohort)
    columns = (
        _MODEL,
        Column("tasks", "Tasks"),
        Column("direct_jointcore", "Direct, JointCore"),
        Column("direct_singleton", "Direct, singleton"),
        Column("ab_jointcore", "A/B, JointCore"),
        Column("ab_singleton", "A/B, singleton"),
        Column("reverts", "Reverts to full memory"),
        Column("behavior", "Behavior", 3),
        Column("savings", "Savings", 3),
    )
    missing = "" if len(data) else "Not determined: this run does not decide UNKNOWN masks in both label styles."
    note = cohort.noted(
        missing,
        "Tasks with trajectory success under each label style. A model for which JointCore ≥ singleton holds under "
        "one style and not the other keeps its whole archive: behavior 1, savings 0.",
    )
    return Table(data, columns, cohort.titled("Archive fallback"), note, f"{cohort.key}-fallback")


def methods_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Means of every measure for every model and method."""
    return _means(statistics["summary"], cohort, (), "Model stage, every method", "methods")


def families_table(statistics: Statistics, cohort: Cohort) -> Table:
    """Means of every measure for every model, method and family."""
    data = statistics["by_family"].assign(family_name=lambda rows: rows["family"].map(_family_name))
    return _means(data, cohort, ("family_name",), "Model stage by family", "families")


#: Table of a cohort by the name of its file.
MODEL_TABLES: dict[str, Callable[[Statistics, Cohort], Table]] = {
    "table2": table2,
    "table5": table5,
    "tests": tests_table,
    "gates": gates_table,
    "methods": methods_table,
    "families": families_table,
    "comparisons": comparisons_table,
    "pool": pool_table,
    "robustness": robustness_table,
    "fallback": fallback_table,
}

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
    data["method_name"] = [cohort.methods.get(slug, slug) for slug in data["method"]]
    digits = {"intervention_count": 2}
    columns = (
        _MODEL,
        *(Column(column, "Family") for column in by),
        Column("method_name", "Method"),
        *(Column(key, title, digits.get(key, 3)) for key, title in MEASURE_NAMES.items()),
    )
    note = cohort.noted("Means over tasks; an undefined value is left out of a mean. Descriptive.")
    return Table(data, columns, cohort.titled(title), note, f"{cohort.key}-{name}")


def _table2_title(key: str) -> str:
    stem, _, method = key.partition("_")
    return f"{_TABLE2_TITLES[stem]} {method[:1].upper()}".strip()


def _named(data: pd.DataFrame, cohort: Cohort) -> pd.DataFrame:
    return data.assign(name=[cohort.names.get(model, model) for model in data["model"]])


def _family_name(family: str) -> str:
    return "All families" if family == ALL_FAMILIES else FAMILIES[family].name


def _effect_columns() -> tuple[Column, ...]:
    return Column("difference", "Difference", 3), _LOW, _HIGH, Column("effect", "Effect", 2)
