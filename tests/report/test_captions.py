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
    """What results of the default configuration were made with, as far as captions say it."""
    benchmark, stress, budget = config["benchmark"], config["stress"], config["selection"]["budget"]
    shared = {key: benchmark[key] for key in ("domains", "families", "costs")}
    stages = {
        stage: {
            "benchmark": {**shared, "grid": benchmark[stage]},
            "budget": budget,
            "conditions": 6912,
            "methods": ["one"],
        }
        for stage in ("exact", "model")
    }
    robustness = {"stride": benchmark["subsets"]["robustness"], **config["model_stage"]["robustness"]}
    cohorts = {
        cohort: {**stages["model"], "cap": 64, "robustness": robustness, "models": {"one": "One"}}
        for cohort in ("registered", "local")
    }
    experiments = ("relevance", "budgets", "counts", "decisions")
    made = {name: {**stress[name], "stride": stress["stride"]} for name in experiments}
    return {"exact": stages["exact"], **cohorts, "stress": made}


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
