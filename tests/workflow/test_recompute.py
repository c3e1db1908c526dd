"""Exactly what depends on an edit is recomputed, nothing else."""

import json
import os

import pytest

from jointcore.selection.catalogue import choose_methods
from workflow.checkout import SMOKE

pytestmark = pytest.mark.slow

METHODS = choose_methods("all")
WITH_BUDGET = sum("budget" in method.uses for method in METHODS)
PRESENTATION = {
    "tabulate_exact": 3,
    "tabulate_worked_example": 1,
    "plot_evaluations": 1,
    "plot_worked_example": 1,
    "compare_exact": 1,
    "write_first_page": 1,
}
AGGREGATION = {"aggregate_exact": 1, "follow_worked_example": 1, "view_exact_cases": 1, **PRESENTATION}
EVERY_METHOD = {"evaluate_exact": len(METHODS), **AGGREGATION}
SUBSETS = {"select_subset": 2}


def test_nothing_is_left_to_do(finished):
    assert finished.planned() == {}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        pytest.param(
            "src/jointcore/selection/methods/random_b.py",
            "[:budget]",
            "[: budget + 1]",
            {"evaluate_exact": 1, **AGGREGATION},
            id="one method",
        ),
        pytest.param(
            "src/jointcore/selection/group_deletion.py",
            "half = len(group) // 2",
            "half = (len(group) + 1) // 2",
            {"evaluate_exact": 2, **AGGREGATION},
            id="a search that two methods share",
        ),
        pytest.param(
            "src/jointcore/logic/rules/threshold.py",
            "return max(1, (len(support) + 1) // 2)",
            "return len(support)",
            EVERY_METHOD,
            id="one family's rule",
        ),
        pytest.param(
            "src/jointcore/figures/evaluations.py",
            "Candidate records, n",
            "Records",
            {"plot_evaluations": 1},
            id="one figure",
        ),
        pytest.param(
            "src/jointcore/figures/worked_example.py",
            '"Evaluation")',
            '"Step")',
            {"plot_worked_example": 1},
            id="another figure",
        ),
        pytest.param(
            "src/jointcore/report/templates/page.css",
            "max-width: 22rem",
            "max-width: 20rem",
            {"tabulate_exact": 3, "tabulate_worked_example": 1, "compare_exact": 1, "write_first_page": 1},
            id="the template of the pages",
        ),
        pytest.param("workflow/report/table4.rst", "The condition", "A condition", {}, id="a caption"),
        pytest.param(
            "config/config.yaml",
            "budget: 4 #",
            "budget: 3 #",
            {"evaluate_exact": WITH_BUDGET, **AGGREGATION},
            id="B",
        ),
        pytest.param(
            "config/config.yaml",
            "seed_base: 26082701",
            "seed_base: 26082702",
            {"generate_grid": 1, **EVERY_METHOD},
            id="the exact grid's seed base",
        ),
        pytest.param(
            "config/config.yaml",
            "seed_base: 26082901",
            "seed_base: 26082902",
            {"generate_grid": 1, "write_first_page": 1, **SUBSETS},
            id="the model grid's seed base",
        ),
        pytest.param(
            "config/config.yaml",
            "support: [3, 9]",
            "support: [3, 8]",
            {"generate_grid": 2, **SUBSETS, **EVERY_METHOD},
            id="a cost range",
        ),
        pytest.param(
            "config/config.yaml",
            "robustness: 4",
            "robustness: 2",
            {"select_subset": 1, "write_first_page": 1},
            id="the size of a subset",
        ),
        pytest.param(
            "resources/published/paper.json",
            "0.162",
            "0.163",
            {"compare_exact": 1, "write_first_page": 1},
            id="the published figures",
        ),
        pytest.param("README.md", "\n", " <!-- a comment -->\n", {}, id="the README"),
    ],
)
def test_an_edit_reruns_what_depends_on_it(edited, path, old, new, expected):
    file = edited.folder / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    assert edited.planned() == expected


def test_a_touch_reruns_nothing(edited):
    for path in ("src/jointcore/selection/methods/random_b.py", "resources/published/paper.json", "README.md"):
        os.utime(edited.folder / path)
    assert edited.planned() == {}


NEW_METHOD = '''"""Keep nothing: the smallest set of all."""

from __future__ import annotations

from jointcore.selection.method import method
from jointcore.selection.protocol import Memory, Search, Selection


@method(name="Nothing", position=999)
def keep_nothing(memory: Memory) -> Search:
    """Keep no record; no evaluation."""
    return Selection(0)
    yield
'''


def test_a_new_method_is_one_file(edited):
    (edited.folder / "src/jointcore/selection/methods/keep_nothing.py").write_text(NEW_METHOD)
    assert edited.planned() == {"evaluate_exact": 1, **AGGREGATION}
    edited.run(*SMOKE)
    metrics = json.loads((edited.folder / "results/exact/metrics.json").read_text())
    assert metrics["methods"][-1]["name"] == "Nothing"
    assert metrics["metrics"]["overall"]["keep_nothing"]["active_token_savings"] == 1.0
    for name in ("table1.tex", "table1_by_n.html", "table1_by_family.csv", "table4.csv"):
        assert "Nothing" in (edited.folder / "results/tables" / name).read_text()
    assert "Nothing" in (edited.folder / "results/figures/evaluations_by_n.csv").read_text()
