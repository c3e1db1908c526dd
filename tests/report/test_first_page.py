"""The first page: its numbers are those of the results, and what was not run is never called reproduced."""

import json
import re

import pandas as pd
import pytest

from jointcore.figures.published import published_data
from jointcore.report.first_page import CohortResults, first_page, paper_matrix
from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.registration import JOINTCORE
from paths import PUBLISHED
from report.model_cohort import cohort_run

SVG = '<svg viewBox="0 0 1 1"><g id="a"/><use href="#a"/><path style="fill: #ffffff; clip-path: url(#a)"/></svg>'


@pytest.fixture(scope="module")
def published():
    return {name: json.loads((PUBLISHED / f"{name}.json").read_text()) for name in ("exact_metrics", "paper")}


def frame(*rows):
    return pd.DataFrame(rows, columns=["place", "what", "published", "reproduced", "verdict"])


EXACT = frame(("Table 1", "a", "1", "1", "identical"), ("Aggregate record", "b", "2", "2", "identical"))
WHOLE = frame(
    ("Table 1", "a", "1", "1", "identical"),
    ("Table 2", "b", "0.5", "", "not run"),
    ("Table 5", "c", "1.0", "1.0", "identical"),
    ("Table 5", "d", "1.0", "2.0", "differs"),
)
DIGESTS = {"published": "ab" * 32, "reproduced": "ab" * 32, "equal": True, "applies": True}


def page_of(published, digests=DIGESTS, exact=EXACT, cohorts=()):
    methods = [method.description() for method in choose_methods("study")]
    return first_page(
        metrics={"methods": methods, "metrics": published["exact_metrics"]["metrics"]},
        exact=exact,
        digests=digests,
        whole=WHOLE,
        paper=published["paper"],
        cohorts=cohorts,
        chart=SVG,
        published=SVG,
        links={"Table 1": "../tables/table1.html"},
        provenance={"jointcore": "0", "commit": "abc"},
    )


def cards(page):
    return [" ".join(re.sub(r"<[^>]+>", " ", card).split()) for card in re.findall(r"<li>(<h2>.*?)</li>", page, re.S)]


def test_the_five_numbers_of_an_exact_run(published):
    met, evaluations, behavior, savings, calls = cards(page_of(published))
    assert met.startswith("Published figures met 2 of 2")
    assert met.endswith("reproduced")
    assert "11.13 against 30.00" in evaluations
    assert evaluations.endswith("reproduced")
    for card, value in ((behavior, "1.000"), (savings, "0.837 to 0.881"), (calls, "10.28")):
        assert f"{value} published" in card
        assert card.endswith("not run")


@pytest.mark.parametrize(("change", "badge"), [({"equal": False}, "differs"), ({"applies": False}, "does not apply")])
def test_another_result_is_not_called_reproduced(published, change, badge):
    met, evaluations, *_ = cards(page_of(published, {**DIGESTS, **change}))
    assert met.endswith(badge)
    assert not evaluations.endswith("reproduced")


def test_a_figure_that_is_not_met_counts(published):
    exact = EXACT.assign(verdict=["identical", "differs"])
    met = cards(page_of(published, exact=exact))[0]
    assert "1 of 2" in met
    assert met.endswith("differs")


@pytest.mark.parametrize(("key", "badge"), [("local", "local demonstration"), ("registered", "run here")])
def test_a_cohorts_numbers_have_their_intervals(published, key, badge):
    run = cohort_run(key)
    page = page_of(published, cohorts=[CohortResults(run.cohort, run.statistics["pool"])])
    pool = run.statistics["pool"]
    row = pool[
        (pool["measure"] == "intervention_count")
        & (pool["first"] == JOINTCORE)
        & (pool["second"].fillna("") == "")
        & (pool["family"] == "all")
    ].iloc[0]
    calls = cards(page)[4]
    assert f"{row['mean']:.2f} [{row['ci_low']:.2f}, {row['ci_high']:.2f}]" in calls
    assert calls.endswith(badge)


def test_the_matrix_says_what_became_of_each_place():
    found = {row["place"]: row["status"] for row in paper_matrix(EXACT, WHOLE, DIGESTS)}
    expected = {"Table 1": "reproduced", "Table 2": "not run", "Table 5": "partly"}
    assert found == {**expected, "Aggregate record, 1 figures": "reproduced"}


def test_two_drawings_keep_their_colours_and_their_own_identities(published):
    page = page_of(published)
    assert page.count("fill: #ffffff") == 2
    assert 'href="#chart-a"' in page
    assert "url(#published-a)" in page
    assert 'id="a"' not in page


def test_the_published_numbers_are_drawn_as_printed(published):
    data = published_data(published["paper"])
    row = data[(data["model"] == "gemma4_12b_it") & (data["measure"] == "queries") & (data["method"] == JOINTCORE)]
    assert list(row["mean"]) == [10.7]
    assert len(data) == 4 * 4 * 2
