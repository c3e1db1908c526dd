"""Figures of the model stage: their data from the statistics, the same bytes again, the local mark."""

import json

import pytest
from matplotlib.figure import Figure

from jointcore.figures.model.figure2 import draw_figure2, figure2_data
from jointcore.figures.model.figure3 import figure3_data
from jointcore.figures.model.figure4 import draw_figure4, figure4_data
from jointcore.figures.model.margins import margins_data
from jointcore.figures.model.queries_saved import OVER_MODELS, queries_saved_data
from jointcore.figures.model_figure import Drawn, all_figures, load_figure
from jointcore.figures.style import save_figure
from jointcore.statistics.cohort_statistics import NAMES
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from paths import PROJECT, PUBLISHED
from report.model_cohort import cohort_run

FIGURES = {figure.name: figure for figure in all_figures()}


def drawn(figure, run):
    """The data of a figure, and the figure."""
    data = figure.data(Drawn(run.cohort, run.statistics, run.margins if figure.primary else None))
    return data, figure.draw(data, run.cohort)


def texts(figure: Figure) -> str:
    """All words of a figure."""
    return " ".join(artist.get_text() for artist in figure.findobj(lambda artist: hasattr(artist, "get_text")))


@pytest.fixture(scope="module")
def paper():
    return json.loads((PUBLISHED / "paper.json").read_text())


@pytest.mark.parametrize("name", FIGURES)
def test_same_bytes_again(name, tmp_path):
    run = cohort_run()
    for again in ("a", "b"):
        save_figure(drawn(FIGURES[name], run)[1], [tmp_path / f"{again}.{kind}" for kind in ("svg", "pdf")])
    for kind in ("svg", "pdf"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize(("key", "count"), [("registered", None), ("local", None), ("local", 1)])
def test_only_the_local_cohort_is_marked(name, key, count):
    run = cohort_run(key, count)
    words = texts(drawn(FIGURES[name], run)[1]).lower()
    assert ("local demonstration" in words) == (key == "local")
    if name != "figure3":
        assert all(model.lower() in words for model in run.cohort.names.values())


def test_figure2_shows_the_means_and_intervals_of_the_pair():
    run = cohort_run()
    data = figure2_data(run.statistics["summary"], run.cohort)
    assert len(data) == 4 * 2 * 2
    own = run.primary[(run.primary["model"] == "gemma4_12b_it") & (run.primary["method"] == JOINTCORE)]
    row = data[(data["model"] == "gemma4_12b_it") & (data["measure"] == "queries")].iloc[0]
    assert row["mean"] == pytest.approx(own["intervention_count"].mean(), abs=1e-12)
    assert row["ci_low"] < row["mean"] < row["ci_high"]


def test_published_marks_are_of_the_registered_cohort_only(paper):
    run, local = cohort_run("registered", 2), cohort_run("local")
    data = figure2_data(run.statistics["summary"], run.cohort, paper)
    printed = data[data["source"] == "published"]
    assert list(printed["mean"]) == [0.465, 0.382, 9.97, 16.0, 0.572, 0.493, 10.7, 16.0]
    assert "JointCore, published" in texts(draw_figure2(data, run.cohort))
    assert "published" not in set(figure2_data(local.statistics["summary"], local.cohort, paper)["source"])


def test_figure3_means_over_models_of_differences():
    run = cohort_run()
    data = figure3_data(run.statistics["pool"])
    assert len(data) == 2 * 10 + 2 * 10
    rows = run.primary[run.primary["family"] == "synergy_xor"]
    means = rows.groupby(["model", "method"])["active_token_savings"].mean().unstack()
    expected = (means[JOINTCORE] - means[SINGLETON]).mean()
    found = data[(data["measure"] == "active_token_savings") & (data["family"] == "synergy_xor")]["value"]
    assert float(found.iloc[0]) == pytest.approx(expected, abs=1e-12)


def test_figure4_has_the_seven_published_columns():
    run = cohort_run()
    data = figure4_data(run.statistics["robustness"], run.cohort)
    assert len(data) == 4 * 7
    primary, masked = (data[data["column"] == column]["jointcore"].tolist() for column in ("primary", "typed_mask"))
    assert primary == masked
    assert (data["difference"] - (data["jointcore"] - data["singleton"])).abs().max() < 1e-12


def test_figure4_says_which_cells_were_not_run():
    run = cohort_run("local", 1, ("boolean", "direct"))
    data = figure4_data(run.statistics["robustness"], run.cohort)
    assert "ab" not in set(data["column"])
    assert texts(draw_figure4(data, run.cohort)).count("not run") == 1


def test_margins_count_what_has_none():
    run = cohort_run()
    data = margins_data(run.margins, run.cohort)
    assert len(data) == 4 * 9 * 2
    own = run.margins[(run.margins["model"] == "gemma4_12b_it") & (run.margins["method"] == JOINTCORE)]
    rows = data[(data["model"] == "gemma4_12b_it") & (data["decision"] == "JointCore's set")]
    assert rows["undefined"].sum() == own["final_margin"].isna().sum()
    assert rows["tasks"].sum() == len(own) == 18
    part = own[own["family"] == "threshold"]["final_margin"].abs()
    assert rows[rows["family"] == "threshold"]["median"].iloc[0] == part.median()


def test_queries_saved_by_family():
    run = cohort_run()
    data = queries_saved_data(run.statistics["by_family"], run.statistics["pool"], run.cohort)
    single, mean = data[data["model"] != ""], data[data["name"] == OVER_MODELS]
    assert len(single) == 4 * 9
    assert len(mean) == 10
    for row in mean[mean["family"] != "all"].itertuples():
        assert row.saved == pytest.approx(single[single["family"] == row.family]["saved"].mean(), abs=1e-12)
        assert row.ci_low <= row.saved <= row.ci_high


def test_every_figure_has_a_caption_and_statistics_that_there_are():
    assert {"figure2", "figure3", "figure4"} <= FIGURES.keys()
    for name, figure in FIGURES.items():
        assert (PROJECT / "workflow" / "report" / f"{name}.rst").is_file()
        assert set(figure.statistics) <= set(NAMES)
        assert figure.statistics or figure.primary


def test_an_unknown_figure_is_refused():
    with pytest.raises(ValueError, match="unknown model_figure 'figure9'; known are figure2, figure3, figure4"):
        load_figure("figure9")
