"""Captions and the introduction: every text, filled in as Snakemake does, is sound reStructuredText."""

from types import SimpleNamespace

import pytest
from docutils.core import publish_string
from docutils.utils import SystemMessage
from jinja2 import Environment, StrictUndefined

from jointcore.configuration import example_cell
from jointcore.documents import read_yaml
from paths import PROJECT

CAPTIONS = sorted((PROJECT / "workflow" / "report").glob("*.rst"))
WILDCARDS = {
    "cohort": ["registered", "local"],
    "table": ["table1", "table1_by_n", "table1_by_family"],
    "figure": ["relevance", "budgets", "counts", "decisions", "decisions_by_family"],
}


def made_with(config):
    """What the results of each stage say that they were made with."""
    shared = {key: config["benchmark"][key] for key in ("domains", "families", "costs")}
    stages = {
        name: {
            "benchmark": {**shared, "grid": config["benchmark"][name]},
            "budget": 4,
            "cap": 64,
            "methods": ["a", "b"],
        }
        for name in ("exact", "model")
    }
    robustness = {"stride": 4, **config["model_stage"]["robustness"]}
    cohort = {**stages["model"], "robustness": robustness, "models": {"tiny": "Tiny"}}
    stress = {name: {"stride": 4, **config["stress"][name]} for name in WILDCARDS["figure"] if name in config["stress"]}
    exact = {**stages["exact"], "conditions": 72}
    return {"exact": exact, "registered": cohort, "local": cohort, "stress": stress}


def rendered(path, wildcards):
    """A caption with its values; an unknown one is an error."""
    config = read_yaml(PROJECT / "config" / "config.yaml")
    config["worked_example"] = example_cell(config)._asdict()
    config["made_with"] = made_with(config)
    job = SimpleNamespace(config=config, wildcards=SimpleNamespace(**wildcards))
    environment = Environment(undefined=StrictUndefined)
    return environment.from_string(path.read_text(encoding="utf-8")).render(snakemake=job)


def built(text):
    """The text as HTML; any complaint of Docutils, a warning too, is an error."""
    strict = {"report_level": 1, "halt_level": 1, "warning_stream": False, "file_insertion_enabled": False}
    return publish_string(text, writer="html5", settings_overrides=strict).decode()


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_every_caption_is_sound(path):
    for number in range(max(map(len, WILDCARDS.values()))):
        wildcards = {name: values[number % len(values)] for name, values in WILDCARDS.items()}
        assert "<p>" in built(rendered(path, wildcards))


def test_an_unsound_text_is_refused():
    with pytest.raises(SystemMessage, match="substitution"):
        built("a set S takes |S| + 1 decisions")
