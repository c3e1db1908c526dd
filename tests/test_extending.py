"""What docs/extending.md shows works as it stands there."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from evaluation.model_cases import SETTINGS, small_tasks
from jointcore.decisions import judges
from jointcore.decisions.catalogue import load_judge, open_judge
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.evaluation.loop import run_method
from jointcore.figures import model as model_figures
from jointcore.figures.model_figure import Drawn, all_figures, load_figure
from jointcore.selection.catalogue import load_method
from paths import PROJECT
from report.model_cohort import cohort_run

EXAMPLES = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / "extending.md").read_text(), re.DOTALL)


def test_the_judge_is_one_file(tmp_path, monkeypatch):
    (tmp_path / "cautious.py").write_text(EXAMPLES[0])
    monkeypatch.setattr(judges, "__path__", [*judges.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{judges.__name__}.cautious", raising=False)
    place = {"mem_mb": 1, "runtime_minutes": 1, "shards": 1, "prompt_template": "", "licence": "none", "role": "local"}
    checkpoint = {"precision": "float32", "loader": "causal_lm", "gpus": 0}
    entry = ModelEntry("mine", "Mine", **place, **checkpoint, kind="cautious", settings={"least": 3})
    assert load_judge("cautious").problems({"least": 0}, "mine")
    with open_judge(entry, tmp_path / "store") as judge:
        run = run_method(load_method("jointcore_legacy"), small_tasks()[0].question, judge, SETTINGS)
    assert run.retained.bit_count() == 3


def test_the_figure_is_one_file(tmp_path, monkeypatch):
    (tmp_path / "all_queries.py").write_text(EXAMPLES[1])
    monkeypatch.setattr(model_figures, "__path__", [*model_figures.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{model_figures.__name__}.all_queries", raising=False)
    assert "all_queries" in [figure.name for figure in all_figures()]
    figure, run = load_figure("all_queries"), cohort_run()
    data = figure.data(Drawn(run.cohort, run.statistics))
    assert len(data) == len(run.cohort.models) * len(run.cohort.methods)
    assert figure.draw(data, run.cohort).axes[0].get_title(loc="left").startswith("Queries per task")


def test_the_question_is_of_ones_own():
    exec(EXAMPLES[2], {})


PROGRAM = """
from evaluation.model_cases import small_tasks
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.evaluation.robustness import full_cross
from jointcore.statistics.names import INTERFACE_NAMES, STYLE_NAMES
import sys

assert len(full_cross(["blank"], ["numbers"])) == 1
assert (INTERFACE_NAMES["blank"], STYLE_NAMES["numbers"]) == ("Left blank", "1/2")
question = small_tasks()[0].question
prompt = PromptTemplate.load(sys.argv[1]).render(Query(question, 0, interface="blank", label_style="numbers"))
assert prompt.labels == ("1", "2")
assert prompt.messages[-1]["content"].count("=____") == len(question.records)
"""


def edited(path, old, new):
    """Put a text before another one that stands once in a file."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new + old))


def test_an_interface_and_a_label_style_are_one_entry_each_and_its_wording(tmp_path):
    shutil.copytree(PROJECT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    prompts = tmp_path / "src" / "jointcore" / "decisions" / "prompts"
    entry = '    "blank": Interface("Left blank", "Blank", lambda record: "____"),\n'
    edited(prompts / "interfaces.py", '    "deletion": Interface', entry)
    entry = '    "numbers": LabelStyle("1/2", "1/2", _letters, own_labels=True),\n'
    edited(prompts / "label_styles.py", '    "direct": LabelStyle', entry)
    wording = tmp_path / "mine.yaml"
    text = (PROJECT / "config" / "prompts" / "default.yaml").read_text()
    text = text.replace('  ab: ["A", "B"]', '  ab: ["A", "B"]\n  numbers: ["1", "2"]')
    wording.write_text(
        text.replace("    direct:", '    numbers: "{{ first_label }} or {{ second_label }}?"\n    direct:')
    )
    paths = os.pathsep.join([str(tmp_path / "src"), str(PROJECT / "tests")])
    command = [sys.executable, "-c", PROGRAM, str(wording)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_wording_without_the_style_says_so():
    template = PromptTemplate.load(PROJECT / "config" / "prompts" / "default.yaml")
    with pytest.raises(InputError, match="label style 'numbers' is unknown; choose one of boolean, direct, ab"):
        template.render(Query(small_tasks()[0].question, 0, label_style="numbers"))
