"""From the files of a model stage to tables, figures and pages: all files, the same bytes, what an edit reruns."""

import pytest

from workflow.checkout import SMOKE, STUDY

pytestmark = pytest.mark.slow

FIGURES = ("figure2", "figure3", "figure4", "margins", "queries_saved")


@pytest.fixture
def edited_study(studied, tmp_path):
    """A copy for one test's edits."""
    return studied.clone(tmp_path / "project")


def test_every_file_is_there_and_marked(studied):
    results = studied.folder / "results"
    for figure in FIGURES:
        assert all((results / f"figures/local/{figure}.{kind}").stat().st_size for kind in ("svg", "pdf", "csv"))
    pages = [*(results / "tables/local").glob("*.html"), results / "report/local/summary.html"]
    assert len(pages) == 12
    assert all("local demonstration" in page.read_text() for page in pages)
    assert not (results / "statistics/registered").exists()
    assert "differs" not in (results / "comparison/local/paper.csv").read_text()
    assert "Table 2: Model stage" in (studied.folder / "logs/tabulate_model_stage/local.log").read_text()


def test_nothing_is_left_to_do_and_a_second_run_has_the_same_bytes(studied, edited_study):
    assert set(edited_study.planned(*STUDY)) <= {"local_study"}
    before = studied.digests()
    rules = ("compute_statistics", "tabulate_model_stage", *(f"plot_{figure}" for figure in FIGURES))
    edited_study.run(*SMOKE, "--forcerun", *rules, *STUDY)
    assert edited_study.digests() == before


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        *((f"figures/model/{figure}.py", {f"plot_{figure}"}) for figure in FIGURES),
        ("report/model_tables.py", {"tabulate_model_stage"}),
        ("report/run_tables.py", {"tabulate_runtime"}),
        ("report/front_page.py", {"write_summary"}),
        ("report/model_comparison.py", {"compare_paper", "write_summary", "write_first_page"}),
    ],
)
def test_an_edit_reruns_what_depends_on_it(edited_study, module, expected):
    edited_study.append(f"src/jointcore/{module}", "\n# edited\n")
    assert set(edited_study.planned(*STUDY)) - {"local_study"} == expected


def test_the_default_target_runs_no_statistics(studied):
    assert studied.planned() == {}
