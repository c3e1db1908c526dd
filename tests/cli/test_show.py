"""``jointcore show``: tables of a finished run as plain text."""

import json

import pytest

from jointcore.cli import main
from jointcore.report.catalogue import TABLES
from jointcore.report.exact_tables import EXACT_TABLES
from jointcore.report.model_tables import MODEL_TABLES
from jointcore.statistics.cohort_statistics import NAMES, write_statistics
from report.model_cohort import cohort_run


@pytest.fixture
def results(tmp_path):
    """The statistics of a local run and an exact stage of one method."""
    run = cohort_run("local")
    folder = tmp_path / "results"
    write_statistics(run.statistics, [folder / "statistics" / "local" / f"{name}.csv" for name in NAMES])
    run.cohort.write(folder / "statistics" / "local" / "cohort.json")
    keys = ("exact_sufficiency", "valid_minimum_set", "critical_recall", "active_token_savings", "cost_gap")
    means = {**dict.fromkeys(keys, 0.5), "intervention_count": 7.25, "records": 6912}
    method = {"slug": "mine", "name": "Mine", "study": True, "extension": ""}
    (folder / "exact").mkdir()
    metrics = {"methods": [method], "families": {}, "metrics": {"overall": {"mine": means}}}
    (folder / "exact" / "metrics.json").write_text(json.dumps(metrics))
    return folder


def test_prints_the_tables_in_the_order_asked(results, capsys):
    assert main(["show", "table5", "table1", "--results", str(results), "--cohort", "local"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Table 5: Difference in queries (local demonstration)")
    assert text.index("Tiny A") < text.index("Table 1: Exact stage, 6,912 conditions") < text.index("7.25")


@pytest.mark.parametrize("name", MODEL_TABLES)
def test_every_model_table_is_that_of_the_run(results, capsys, name):
    run = cohort_run("local")
    assert main(["show", name, "--results", str(results), "--cohort", "local"]) == 0
    assert capsys.readouterr().out == MODEL_TABLES[name](run.statistics, run.cohort).terminal() + "\n"


@pytest.mark.parametrize(
    ("table", "remedy"),
    [
        ("table4", "run snakemake --cores all, or"),
    ],
)
def test_what_is_not_there_yet_is_said(results, capsys, table, remedy):
    assert main(["show", table, "--results", str(results)]) == 1
    error = capsys.readouterr().err
    assert "is not there yet" in error
    assert remedy in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.parametrize("table", ["table2", "runtime", "transfer", "summary"])
def test_the_cohort_that_there_is_is_named(results, capsys, table):
    assert main(["show", table, "--results", str(results)]) == 1
    assert "the registered cohort was not run, but the local one was: add --cohort local" in capsys.readouterr().err


@pytest.mark.parametrize("table", ["table2", "runtime", "transfer"])
def test_without_any_cohort_the_target_is_named(tmp_path, capsys, table):
    assert main(["show", table, "--results", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "is not there yet" in error
    assert "run snakemake --cores all model_study" in error


def test_what_there_is_is_listed(results, capsys):
    assert main(["show", "--results", str(results)]) == 0
    text = capsys.readouterr().out
    assert "Exact stage:" in text
    assert "Model stage, with --cohort local:" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_damaged_file_is_said(results, capsys):
    (results / "exact" / "metrics.json").write_text("{")
    assert main(["show", "table1", "--results", str(results)]) == 1
    assert "metrics.json is not valid JSON" in capsys.readouterr().err


def test_every_table_can_be_named():
    assert {*EXACT_TABLES, *MODEL_TABLES, "table4", "runtime", "transfer"} == set(TABLES)


def test_an_unknown_table_is_refused_with_what_there_is(results, capsys):
    assert main(["show", "table9", "--results", str(results)]) == 1
    assert "there is no table 'table9'; `jointcore show` lists what there is" in capsys.readouterr().err
