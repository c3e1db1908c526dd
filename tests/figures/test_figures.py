"""Figures are drawn from the data beside them, with the same bytes every time."""

import pandas as pd
import pytest

from jointcore.errors import InputError
from jointcore.evaluation.exact import evaluate_task
from jointcore.evaluation.exact_storage import _row, trace_row
from jointcore.evaluation.worked_example import worked_example
from jointcore.figures.evaluations import draw_evaluations, evaluations_data
from jointcore.figures.style import HIGHLIGHTED, line_style, method_style, save_figure
from jointcore.figures.worked_example import draw_trace, trace_data
from jointcore.selection.catalogue import all_methods, load_method
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell

SLUG = "jointcore_cost_ordered"


@pytest.fixture(scope="module")
def example():
    task = generate_task(Cell("orders", "multiple_minimal_sets", 16, 2, 1, 0), 26082701)
    method = load_method(SLUG)
    outcome = evaluate_task(method, task, {"budget": 4, "cap": 256})
    trace = trace_row(task.question.id, 16, outcome.trace)
    return worked_example(task, [method.description()], [_row(outcome)], [trace])


def test_trace_data_follows_the_trace(example):
    data = trace_data(example, SLUG)
    assert len(data) == 9 * 16
    assert list(data.drop_duplicates("evaluation")["group_size"]) == [16, 8, 8, 4, 4, 2, 2, 1, 1]
    last = data[data["evaluation"] == 9]
    assert list(last[last["state"] == "tested, stays"]["record"]) == [10]
    assert (last["state"] == "dropped before").sum() == 15


def test_figures_have_the_same_bytes_again(example, tmp_path):
    data = trace_data(example, SLUG)
    for name in ("a", "b"):
        save_figure(draw_trace(data, example, SLUG), [tmp_path / f"{name}.svg", tmp_path / f"{name}.pdf"])
    for kind in ("svg", "pdf"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_a_method_that_was_not_run_is_named(example):
    with pytest.raises(InputError, match="needs method ddmin; add it to methods/exact"):
        trace_data(example, "ddmin")


def test_methods_with_equal_counts_share_a_line():
    means = {"a": 16.0, "b": 16.0, "c": 10.0, "d": 0.0}
    metrics = {
        "methods": [{"slug": slug, "name": slug.upper()} for slug in means],
        "metrics": {
            "by_candidate_count": {
                n: {slug: {"intervention_count": value} for slug, value in means.items()} for n in ("16", "8")
            }
        },
    }
    data = evaluations_data(metrics)
    assert list(data["candidate_count"]) == [8] * 4 + [16] * 4
    figure = draw_evaluations(data)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A, B", "C"]
    assert isinstance(data, pd.DataFrame)


def test_neighbouring_lines_differ_without_colour():
    looks = [(line_style(i)["marker"], str(line_style(i)["linestyle"])) for i in range(16)]
    assert len(set(looks)) == 16


def test_a_method_looks_the_same_everywhere_and_five_stand_out():
    methods = [method.slug for method in all_methods()]
    looks = [(style["color"], style["marker"]) for style in map(method_style, methods)]
    assert len(set(looks)) == len(methods)
    assert [slug for slug in methods if method_style(slug)["linewidth"] > 1] == [s for s in methods if s in HIGHLIGHTED]
    assert len(HIGHLIGHTED) <= 5
    top = sorted(methods, key=lambda slug: method_style(slug)["zorder"])[-2:]
    assert set(top) == {"jointcore_cost_ordered", "jointcore_anchored"}
    assert method_style("a_method_of_a_user") == method_style("a_method_of_a_user")


def test_a_drawing_has_its_text_and_says_what_it_is(example, tmp_path):
    path = tmp_path / "trace.svg"
    save_figure(draw_trace(trace_data(example, SLUG), example, SLUG), [path], "Trace <1>", "What was asked & told")
    svg = path.read_text()
    assert '<title id="figure-title">Trace &lt;1&gt;</title>' in svg
    assert "What was asked &amp; told</desc>" in svg
    assert 'role="img"' in svg
    assert ">Evaluation</text>" in svg
    assert "differs: split" in svg
