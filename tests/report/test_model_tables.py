"""Tables of the model stage: the printed cells come back from the published means, and cohorts are marked."""

import json

import pandas as pd
import pytest

from jointcore.report.model_tables import MODEL_TABLES, table2_of, table5
from jointcore.report.page import table_page
from jointcore.statistics.names import MEASURE_NAMES
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from paths import PUBLISHED
from report.model_cohort import REGISTERED, cohort_of, cohort_run

_MEASURES = {
    "behavior": "behavioral_sufficiency",
    "exact": "exact_sufficiency",
    "minimum": "valid_minimum_set",
    "savings": "active_token_savings",
    "queries": "intervention_count",
}


@pytest.fixture(scope="module")
def paper():
    return json.loads((PUBLISHED / "paper.json").read_text())


def published_means(paper):
    """The published Table 2 as means per model and method."""
    rows = []
    for model in REGISTERED:
        for column, value in zip(paper["table2"]["columns"], paper["table2"][model], strict=True):
            stem, _, method = column.partition("_")
            slug = SINGLETON if method == "singleton" else JOINTCORE
            rows.append((model, slug, _MEASURES.get(stem, "control_accuracy"), value))
    return pd.DataFrame(rows, columns=["model", "method", "measure", "mean"])


def test_published_means_give_the_printed_table_2(paper):
    shown = table2_of(published_means(paper), cohort_of("registered", REGISTERED)).shown()
    for row, model in enumerate(REGISTERED):
        printed = zip(paper["table2"]["columns"], paper["table2"][model], strict=True)
        cells = [f"{value:.2f}" if column.startswith("queries") else f"{value:.3f}" for column, value in printed]
        assert list(shown.iloc[row]) == [REGISTERED[model][0], *cells]
    mean = shown.iloc[4]
    assert mean["Model"] == "Mean over models"
    printed = paper["model_means"]
    assert mean["Queries J"] == f"{printed['queries_jointcore']:.2f}"
    assert mean["Queries S"] == f"{printed['queries_singleton']:.2f}"
    assert mean["Minimum J"] == f"{printed['minimum_jointcore']:.3f}"
    # The printed means (0.382 + 0.493 + 0.296 + 0.551) / 4 are 0.4305, which prints as either neighbour.
    assert abs(float(mean["Minimum S"]) - printed["minimum_singleton"]) <= 0.0011


def test_published_tests_give_the_printed_table_5(paper):
    rows = [
        {
            "model": model,
            "measure": "intervention_count",
            **dict(zip(paper["table5"]["columns"], paper["table5"][model], strict=True)),
        }
        for model in REGISTERED
    ]
    tests = pd.DataFrame(rows).assign(p_adjusted=0.0006, family_size=12, family_expected=12, family_status="complete")
    table = table5({"registered_tests": tests}, cohort_of("registered", REGISTERED))
    shown = table.shown()
    for row, model in enumerate(REGISTERED):
        numbers = [f"{value:.2f}".replace("-", "−") for value in paper["table5"][model]]
        assert list(shown.iloc[row]) == [REGISTERED[model][0], *numbers, "<.001"]
    assert "complete registered family" in table.note


@pytest.mark.parametrize("key", ["registered", "local"])
@pytest.mark.parametrize("name", MODEL_TABLES)
def test_every_table_in_every_form(key, name):
    run = cohort_run(key)
    table = MODEL_TABLES[name](run.statistics, run.cohort)
    assert len(table.frame) > 0
    page = table_page(table.title, [table])
    for text in (page, table.latex(), table.terminal()):
        assert ("local demonstration" in text) == (key == "local")
        assert ("say nothing about the ability" in " ".join(text.split())) == (key == "local")
    assert ("tiny_a" in table.csv()) == (key == "local" and name != "pool")


def test_a_reduced_family_is_said():
    run = cohort_run("registered", 2)
    table = MODEL_TABLES["tests"](run.statistics, run.cohort)
    assert len(table.frame) == 6
    assert "6 tests of 2 models: a reduced family, since the registered one has 12 tests" in table.note
    assert "reduced family" in MODEL_TABLES["table5"](run.statistics, run.cohort).note


def test_local_tests_are_never_called_registered():
    run = cohort_run("local")
    table = MODEL_TABLES["tests"](run.statistics, run.cohort)
    assert table.title == "Tests (local demonstration)"
    assert "these tests are not the registered ones" in table.note


def test_all_methods_and_families_have_rows():
    run = cohort_run()
    methods = MODEL_TABLES["methods"](run.statistics, run.cohort).frame
    assert list(methods["name"].unique()) == [name for name, _ in REGISTERED.values()]
    assert len(methods) == 4 * 8
    own = run.primary[(run.primary["model"] == "gemma4_12b_it") & (run.primary["method"] == JOINTCORE)]
    row = methods[(methods["model"] == "gemma4_12b_it") & (methods["method"] == JOINTCORE)].iloc[0]
    for measure in MEASURE_NAMES:
        assert row[measure] == pytest.approx(own[measure].astype(float).mean(), abs=1e-12), measure
    assert len(MODEL_TABLES["families"](run.statistics, run.cohort).frame) == 4 * 8 * 9


def test_pool_pairs_the_methods_with_their_difference():
    run = cohort_run()
    pool = MODEL_TABLES["pool"](run.statistics, run.cohort).frame
    rows = pool[pool["measure"] == "intervention_count"]
    assert rows["family"].iloc[0] == "all"
    assert len(rows) == 10
    assert (rows["difference"] - (rows["jointcore"] - rows["singleton"])).abs().max() < 1e-12


def test_fallback_that_cannot_be_determined_is_said():
    run = cohort_run("local", 1, ("boolean", "direct"))
    table = MODEL_TABLES["fallback"](run.statistics, run.cohort)
    assert table.frame.empty
    assert "Not determined" in table.note
    assert "Not determined" in table_page(table.title, [table])
    assert "Not determined" in table.latex()


def test_what_the_numbers_do_not_show_is_said_beside_them():
    run = cohort_run()
    tables = {name: tabulate(run.statistics, run.cohort) for name, tabulate in MODEL_TABLES.items()}
    success = run.primary.groupby(["model", "method"])["trajectory_success"].mean().unstack()
    loss = 100 * (success["full_memory"] - success[JOINTCORE])
    assert f"{loss.min():.1f} to {loss.max():.1f} percentage points".replace("-", "−") in tables["gates"].note
    own = run.primary[run.primary["method"] == JOINTCORE]
    wrong = own["active_token_savings"].where(~own["control_accuracy"], 0.0).groupby(own["model"]).sum()
    shares = 100 * wrong / own.groupby("model")["active_token_savings"].sum()
    said = tables["table2"].note
    assert f"{shares.min():.1f} to {shares.max():.1f}% comes from tasks whose control is wrong" in said
    assert "one is the primary run itself, reused and 3 show the full archive" in tables["robustness"].note
    for name in ("table5", "tests", "pool", "comparisons", "robustness"):
        assert "two-sided, each for its own row (pointwise)" in tables[name].note
    for name in ("table2", "tests", "gates"):
        assert "cannot fail for a deterministic judge" in tables[name].note
    fallback = tables["fallback"].frame
    assert set(fallback["robustness_tasks"]) == {9}
    assert set(fallback["primary_tasks"]) == {18}
    assert {"undefined", "empty_cells"} <= {column.key for column in tables["pool"].columns}
    assert "undefined_cost_gap" in {column.key for column in tables["methods"].columns}


def test_a_p_at_the_resolution_of_its_draws_is_called_a_bound():
    run = cohort_run()
    least = run.statistics["registered_tests"].assign(p_raw=1 / 20_001)
    note = MODEL_TABLES["table5"]({**run.statistics, "registered_tests": least}, run.cohort).note
    assert "A sign-flip p of 0.00005 is the least that 20,000 draws can give" in note
    more = least.assign(p_raw=0.2)
    assert "is the least" not in MODEL_TABLES["table5"]({**run.statistics, "registered_tests": more}, run.cohort).note


def test_local_tests_describe_and_are_not_registered():
    assert set(cohort_run("local").statistics["registered_tests"]["kind"]) == {"descriptive"}
    assert set(cohort_run("registered", 2).statistics["registered_tests"]["kind"]) == {"registered"}
