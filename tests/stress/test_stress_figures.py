"""Figures of the stress experiments: every method in every panel, the same bytes every time, data beside them."""

import matplotlib.pyplot as plt
import pandas as pd
import pyarrow as pa
import pytest

from jointcore.evaluation.stress.limits import limits_of
from jointcore.evaluation.stress.scenarios import budget_scenarios, decision_scenarios, relevance_scenarios
from jointcore.evaluation.stress.storage import LIMITS_SCHEMA, SCHEMA
from jointcore.evaluation.stress.sweep import sweep
from jointcore.figures.stress import EXPERIMENTS, draw_stress, stress_data
from jointcore.figures.stress_limits import draw_limits, limits_data
from jointcore.figures.style import save_figure
from jointcore.selection.catalogue import choose_methods
from jointcore.statistics.stress_means import limit_means, stress_means
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}
GRID = Grid(domains=("orders",), candidate_counts=(8, 16), support_sizes=(2, 4), horizon_labels=(1,), seed_blocks=(0,))
NAMES = {slug: schema.name for slug, schema in FAMILIES.items()}
METHODS = choose_methods("all")
SCENARIOS = {
    "relevance": relevance_scenarios([0, 0.4, "shuffle"], [0, 1], 4),
    "budgets": budget_scenarios([1, 4], [0, "shuffle"], [0]),
    "counts": relevance_scenarios([0, "shuffle"], [0], 4),
    "decisions": decision_scenarios([0, 0.2], {"threshold": 0.3}, [0], 4),
}


@pytest.fixture(scope="module")
def means():
    tasks = list(generate_tasks(GRID))
    found = {}
    for experiment, scenarios in SCENARIOS.items():
        rows = {m.slug: list(sweep(m, tasks, scenarios, SETTINGS)) for m in METHODS}
        batches = {slug: [pa.RecordBatch.from_pylist(own, SCHEMA)] for slug, own in rows.items()}
        found[experiment] = stress_means(batches, [method.description() for method in METHODS])
    return found


@pytest.mark.parametrize("figure", EXPERIMENTS)
def test_every_method_has_a_line_in_every_panel(means, figure):
    data = stress_data(means["decisions" if figure == "decisions_by_family" else figure], figure)
    assert set(data["method"]) == {method.slug for method in METHODS}
    drawn = draw_stress(data, figure, NAMES)
    rows = data["panel_row"].nunique()
    assert len(drawn.axes) == rows * len(EXPERIMENTS[figure].measures)
    assert rows == {"budgets": 2, "counts": 2, "decisions_by_family": 9}.get(figure, 1)
    for axes in drawn.axes:
        assert [line.get_label() for line in axes.get_lines()] == [method.name for method in METHODS]
    assert len({(line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in axes.get_lines()}) == len(
        METHODS
    )
    plt.close(drawn)


def test_lines_show_the_means(means):
    data = stress_data(means["relevance"], "relevance")
    drawn = draw_stress(data, "relevance", NAMES)
    own = data[data["method"] == "quickxplain"]
    assert list(own["position"]) == ["0", "0.4", "shuffle"]
    line = next(line for line in drawn.axes[0].get_lines() if line.get_label() == "QuickXplain")
    drawn_points = [point for point in line.get_xydata().tolist() if point[0] == point[0]]
    assert drawn_points == [[place, value] for place, value in enumerate(own["evaluations"])]
    # The line stops before the level that is no standard deviation.
    assert len(line.get_xydata()) == 4
    plt.close(drawn)


def test_the_same_bytes_every_time(means, tmp_path):
    data = stress_data(means["decisions"], "decisions")
    for run in ("first", "second"):
        save_figure(draw_stress(data, "decisions", NAMES), [tmp_path / f"{run}.svg", tmp_path / f"{run}.pdf"])
    for ending in ("svg", "pdf"):
        assert (tmp_path / f"first.{ending}").read_bytes() == (tmp_path / f"second.{ending}").read_bytes()


def test_limits_stand_beside_every_method_that_evaluates(means):
    rows = list(limits_of(generate_tasks(GRID), GRID, False))
    limits = limit_means([pa.RecordBatch.from_pylist(rows, LIMITS_SCHEMA)])
    data = limits_data(means["relevance"], limits)
    silent = {"full_memory", "random_b", "semantic_top_b", "exact_oracle"}
    assert set(data["method"]) == {method.slug for method in METHODS} - silent
    assert set(data["group"]) == {"all", *FAMILIES}
    assert data["optimal"].notna().all()
    drawn = draw_limits(data, NAMES)
    assert len(drawn.axes) == 10
    overall = limits.set_index("group").loc["all"]
    shown = [line.get_xdata()[0] for line in drawn.axes[0].get_lines()[:3]]
    assert shown == pytest.approx([overall["certificate"], overall["optimal"], overall["optimal_uncertified"]])
    plt.close(drawn)


def test_without_an_optimum_only_the_certificate_is_drawn(means):
    limits = pd.DataFrame(
        {"group": ["all", *FAMILIES], "conditions": 1, "certificate": 3.0, "optimal": None, "optimal_uncertified": None}
    )
    drawn = draw_limits(limits_data(means["relevance"], limits), NAMES)
    labels = [line.get_label() for line in drawn.axes[0].get_lines()]
    assert [label for label in labels if "Optimal" in label] == []
    assert "Certificate of a minimal set" in labels
    plt.close(drawn)
