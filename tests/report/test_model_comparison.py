"""The whole paper beside a run: what was not run is never reproduced, and a local cohort is never compared."""

import copy
import html
import json

import pandas as pd
import pytest

from jointcore.report.model_comparison import compare_paper, model_figures
from jointcore.report.verdicts import AS_PRINTED, DIFFERS, IDENTICAL, INSIDE, NOT_APPLICABLE, NOT_RUN, Figure
from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from jointcore.statistics.robustness import PUBLISHED_CELLS
from jointcore.tasks.families import FAMILIES
from paths import PUBLISHED
from report.model_cohort import REGISTERED, cohort_of, cohort_run
from report.test_model_tables import published_means

_STEMS = {"minimum": "valid_minimum_set", "savings": "active_token_savings", "exact": "exact_sufficiency"}
#: Printed figures by place: Tables 1, 2, 4, 5, Figure 4 and the text.
COUNTS = {
    "Table 1": 28,
    "Text, exact stage": 8,
    "Table 4 and Figure 1": 19,
    "Table 2": 44,
    "Text, model stage": 5,
    "Text, families (mean over the four models)": 10,
    "Figure 4": 56,
    "Text, archive fallback": 8,
    "Table 5": 16,
}


@pytest.fixture(scope="module")
def published():
    names = {"record": "exact_metrics", "paper": "paper", "settings": "settings"}
    return {key: json.loads((PUBLISHED / f"{name}.json").read_text()) for key, name in names.items()}


@pytest.fixture
def exact(published):
    return {
        "metrics": {
            "methods": [method.description() for method in choose_methods("study")],
            "families": {slug: schema.name for slug, schema in FAMILIES.items()},
            "metrics": published["record"]["metrics"],
        },
        "example": {"condition": "", "full_cost": 0, "methods": []},
        "run_settings": {stage: published["settings"][stage] for stage in ("exact", "model", "robustness")},
    }


@pytest.fixture
def faithful(published):
    """Statistics of a run that gives every printed figure of the model stage."""
    paper = published["paper"]
    text = paper["family_text"]
    # Of a difference in points, any two means that differ by it will do.
    families = [
        (_STEMS[key.partition("_")[0]], method, family, points / 100 * (method == JOINTCORE))
        for key, entry in text.items()
        if key.endswith("_points")
        for family, points in entry.items()
        for method in (JOINTCORE, SINGLETON)
    ]
    for family in ("redundant_or", "proxy_confounded"):
        for stem, values in text[family].items():
            families += [(_STEMS[stem], m, family, v) for m, v in zip((JOINTCORE, SINGLETON), values, strict=True)]
    by_family = [(model, *row) for row in families for model in REGISTERED]
    cells = {
        (model, *PUBLISHED_CELLS[column]): values
        for model in REGISTERED
        for column, values in zip(paper["figure4"]["columns"], paper["figure4"][model], strict=True)
    }
    return {
        "summary": published_means(paper),
        "by_family": pd.DataFrame(by_family, columns=["model", "measure", "method", "family", "mean"]),
        "robustness": pd.DataFrame(
            [(*cell, *values, values[0] - values[1]) for cell, values in cells.items()],
            columns=["model", "interface", "label_style", "mean_first", "mean_second", "difference"],
        ),
        "fallback": pd.DataFrame(
            [(model, fell := model in paper["archive_fallback"], 1.0, 0.0 if fell else 0.9) for model in REGISTERED],
            columns=["model", "reverts", "behavior", "savings"],
        ),
        "registered_tests": pd.DataFrame(
            [(model, "intervention_count", *paper["table5"][model], 0.0006, 12, "complete") for model in REGISTERED],
            columns=[
                *("model", "measure", "difference", "ci_low", "ci_high"),
                *("p_adjusted", "family_size", "family_status"),
            ],
        ),
    }


def compared(published, exact, cohort, statistics):
    return compare_paper(**published, **exact, cohort=cohort, statistics=statistics)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [(-6.03, IDENTICAL), (-6.031, AS_PRINTED), (-6.3, INSIDE), (-5.73, INSIDE), (-5.72, DIFFERS)],
)
def test_a_value_inside_the_published_interval_is_called_so(found, verdict):
    assert Figure("", "", -6.03, found, 2, interval=(-6.34, -5.73)).verdict() == verdict


def test_every_printed_figure_is_met_by_a_faithful_run(published, exact, faithful):
    frame, page = compared(published, exact, cohort_of("registered", REGISTERED), faithful)
    assert frame["place"].value_counts().to_dict() == COUNTS
    model = frame[~frame["place"].isin(["Table 1", "Text, exact stage", "Table 4 and Figure 1"])]
    assert set(model["verdict"]) <= {IDENTICAL, AS_PRINTED}
    assert "Not run here" not in page


def test_without_models_all_their_figures_are_not_run(published, exact):
    frame, page = compared(published, exact, None, None)
    exact_places = frame["place"].isin(["Table 1", "Text, exact stage", "Table 4 and Figure 1"])
    assert set(frame[~exact_places]["verdict"]) == {NOT_RUN}
    assert set(frame[~exact_places]["reproduced"]) == {""}
    assert (frame["verdict"] == NOT_RUN).sum() >= 139
    assert "Not run here" in page


def test_a_local_cohort_is_compared_with_nothing(published, exact):
    run = cohort_run("local")
    frame, page = compared(published, exact, run.cohort, run.statistics)
    assert frame.equals(compared(published, exact, None, None)[0])
    assert "The published model figures do not apply to it" in page


def test_a_part_of_the_cohort_gives_no_mean_over_four_models(published, exact):
    run = cohort_run("registered", 2)
    frame, page = compared(published, exact, run.cohort, run.statistics)
    verdicts = frame.set_index(["place", "what"])["verdict"]
    assert set(verdicts["Text, model stage"]) == {NOT_RUN}
    assert set(verdicts["Text, families (mean over the four models)"]) == {NOT_RUN}
    table2 = verdicts["Table 2"]
    assert (table2[table2.index.str.startswith("Llama")] == NOT_RUN).all()
    assert (table2[table2.index.str.startswith("Qwen")] != NOT_RUN).all()
    assert "Not run here: Mistral-Small-3.1-24B (4-bit), Llama-3.3-70B (4-bit)." in page


def test_another_checkpoint_under_the_same_key_is_not_compared(published, exact, faithful):
    cohort = cohort_of("registered", REGISTERED)
    edited = copy.deepcopy(dict(cohort.models))
    edited["qwen25_14b"]["revision"] = "0" * 40
    frame, _ = compared(published, exact, Cohort.of("registered", edited, cohort.methods), faithful)
    table2 = frame[frame["place"] == "Table 2"].set_index("what")["verdict"]
    assert set(table2[table2.index.str.startswith("Qwen")]) == {NOT_APPLICABLE}
    assert NOT_APPLICABLE not in set(table2[table2.index.str.startswith("Gemma")])
    assert set(frame[frame["place"] == "Text, model stage"]["verdict"]) == {NOT_APPLICABLE}


def test_another_benchmark_is_not_compared(published, exact, faithful):
    exact["run_settings"] = copy.deepcopy(exact["run_settings"])
    exact["run_settings"]["model"]["cap"] = 63
    frame, page = compared(published, exact, cohort_of("registered", REGISTERED), faithful)
    assert set(frame[frame["place"] == "Table 2"]["verdict"]) == {NOT_APPLICABLE}
    assert "settings of the model stage are not the study's" in html.unescape(page)
    assert set(frame[frame["place"] == "Table 1"]["verdict"]) <= {IDENTICAL, AS_PRINTED}


def test_this_runs_figures_are_its_own(published):
    """Blanking the published values changes no reproduced one."""
    run = cohort_run()
    before = [figure.reproduced for figure in model_figures(published["paper"], run.statistics, run.cohort)]
    blank = json.loads(json.dumps(published["paper"]), parse_float=lambda _: 0.123)
    after = [figure.reproduced for figure in model_figures(blank, run.statistics, run.cohort)]
    assert len(before) == 139
    assert before == after


def test_the_study_checkpoint_at_another_precision_is_not_the_studys(published, exact, faithful):
    cohort = cohort_of("registered", REGISTERED)
    edited = copy.deepcopy(dict(cohort.models))
    edited["gemma4_12b_it"]["precision"] = "nf4"
    frame, _ = compared(published, exact, Cohort.of("registered", edited, cohort.methods), faithful)
    verdicts = frame[frame["place"] == "Table 2"].set_index("what")["verdict"]
    assert set(verdicts[verdicts.index.str.startswith("Gemma")]) == {NOT_APPLICABLE}
    assert NOT_APPLICABLE not in set(verdicts[verdicts.index.str.startswith("Qwen")])


def test_a_fifth_model_leaves_the_means_over_four_as_they_are(published, exact, faithful):
    before, _ = compared(published, exact, cohort_of("registered", REGISTERED), faithful)
    fifth = {"other": ("Other", "exploratory")}
    statistics = {
        **faithful,
        "summary": pd.concat(
            [faithful["summary"], faithful["summary"].query("model == 'qwen25_14b'").assign(model="other", mean=0.5)]
        ),
        "registered_tests": faithful["registered_tests"].assign(family_size=15, family_status="unregistered"),
    }
    frame, _ = compared(published, exact, cohort_of("registered", {**REGISTERED, **fifth}), statistics)
    adjusted = frame["what"].str.endswith("adjusted p")
    pd.testing.assert_frame_equal(frame[~adjusted], before[~adjusted])
    assert set(frame[adjusted]["verdict"]) == {NOT_APPLICABLE}, "a p of fifteen tests is not the paper's of twelve"
    assert set(frame[adjusted]["reproduced"]) == {"<.001 of a family of 15 tests"}


def test_another_part_of_the_tasks_takes_the_robustness_figures_away_alone(published, exact, faithful):
    exact["run_settings"] = {**exact["run_settings"], "robustness": {"every": 2}}
    frame, page = compared(published, exact, cohort_of("registered", REGISTERED), faithful)
    robust = frame["place"].isin(["Figure 4", "Text, archive fallback"])
    assert set(frame[robust]["verdict"]) == {NOT_APPLICABLE}
    assert NOT_APPLICABLE not in set(frame[~robust]["verdict"])
    assert "another part of the tasks" in page


def test_the_percentages_of_the_text_follow_from_the_record(published, exact):
    frame, _ = compared(published, exact, None, None)
    percent = frame[frame["what"].str.endswith("percent") & (frame["place"] == "Text, exact stage")]
    assert percent["published"].tolist() == ["62.9", "6.7"]
    assert set(percent["verdict"]) == {AS_PRINTED}


def test_a_page_holds_no_python(published, exact, faithful):
    frame, _ = compared(published, exact, cohort_of("registered", REGISTERED), faithful)
    texts = {*frame["published"], *frame["reproduced"]}
    assert not {"True", "False", "None", "'<.001'"} & texts
    assert {"<.001", "yes", "no"} <= texts
