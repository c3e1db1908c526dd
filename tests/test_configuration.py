"""A mistake in the configuration is named with its key and the remedy."""

import copy
import re

import pytest

from jointcore.configuration import check_configuration, exact_grid, model_grid
from jointcore.documents import merged, read_yaml
from jointcore.errors import InputError
from paths import PROJECT

SCHEMA = read_yaml(PROJECT / "workflow" / "schemas" / "config.schema.yaml")
DEFAULTS = read_yaml(PROJECT / "config" / "config.yaml")


def test_defaults_are_the_study_s():
    check_configuration(DEFAULTS, SCHEMA)
    assert len(exact_grid(DEFAULTS)) == 6912
    assert len(model_grid(DEFAULTS)) == 432
    from jointcore.tasks.grid import Grid

    assert exact_grid(DEFAULTS) == Grid()


def test_smoke_config_is_sound():
    check_configuration(merged(DEFAULTS, read_yaml(PROJECT / "config" / "smoke.yaml")), SCHEMA)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        (
            "stages",
            [],
            r"config key stages: \[\] has 0 values; give a list of stages, exact, registered, local",
        ),
        (
            "stages",
            ["exact", "all"],
            "config key stages/1: 'all' is none of exact, registered, local, stress, own_data; give a stage",
        ),
        ("stages", ["exact", "exact"], "stages: .* repeats a value"),
        ("deadline_hours", 0, "config key deadline_hours: 0 does not fit; give a number of hours, or null for no"),
        ("deadline_hours", "1 day", "config key deadline_hours: '1 day' is not of type .*; give a number of hours"),
        ("lost_minutes", -5, "config key lost_minutes: -5 does not fit; give a number of minutes, or null where"),
        (
            "model_stage/environment",
            "cuda",
            "model_stage/environment: 'cuda' is none of model, model-study; give a file of envs",
        ),
        ("benchmrk", {}, "config key benchmrk is unknown; did you mean benchmark?"),
        ("benchmark/exact/seed", 1, "config key benchmark/exact/seed is unknown; did you mean seed_b"),
        ("benchmark/exact/seed_base", "x", "config key benchmark/exact/seed_base: 'x' is not of type integer; give a"),
        ("benchmark/exact/candidate_counts", [], "candidate_counts: .* has 0 values; give a list of at least one"),
        ("benchmark/exact/candidate_counts", [3], "benchmark/exact/candidate_counts holds 3, fewer records than"),
        ("benchmark/exact/seed_blocks", [0, 0], r"seed_blocks: \[0, 0\] repeats a value; give"),
        ("benchmark/families", ["xor"], "config key benchmark/families names unknown xor; known are single_variable"),
        ("benchmark/domains", ["mars"], "config key benchmark/domains names unknown mars; known are orders"),
        ("benchmark/costs/support", [9, 3], r"config key benchmark/costs.support is \[9, 3\]; give a lowest"),
        ("benchmark/costs/support", [-1, 3], r"benchmark/costs/support/0: -1 is outside the range \(minimum 1\)"),
        ("benchmark/costs/distractor", [1], "benchmark/costs/distractor: .* has 1 values; give two positive"),
        (
            "model_stage/robustness/interfaces",
            ["mask"],
            "interfaces names unknown mask; known are full_archive, typed_",
        ),
        ("model_stage/robustness/label_styles", ["ba"], "label_styles names unknown ba; known are boolean, direct, ab"),
        ("methods/exact", ["best"], "config key methods/exact: unknown method 'best'; known are"),
        ("methods/exact", ["full_memory"] * 2, "config key methods/exact: methods names full_memory twice"),
        ("methods/exact", "some", "config key methods/exact: 'some' does not fit; give 'all', 'study' or a list"),
        ("selection/budget", 0, r"config key selection/budget: 0 is outside the range \(minimum 1\); give a positive"),
        ("selection/empty_set_fails", "no", "selection/empty_set_fails: 'no' is not of type boolean; give true or"),
        (
            "local_models/models/tiny_a/hidden",
            90,
            "local_models/models/tiny_a has hidden 90 and heads 4; make hidden a",
        ),
        (
            "local_models/models/tiny_a/steps",
            0,
            r"tiny_a/steps: 0 is outside the range \(minimum 1\); give a",
        ),
        (
            "local_models/models/tiny_a/depth",
            2,
            "models/tiny_a/depth is unknown; known are layers",
        ),
        ("worked_example/candidate_count", 17, "config key worked_example: no condition of the exact grid has these"),
    ],
)
def test_mistakes_are_named(key, value, sentence):
    config = copy.deepcopy(DEFAULTS)
    *sections, last = key.split("/")
    place = config
    for section in sections:
        place = place[section]
    place[last] = value
    with pytest.raises(InputError) as error:
        check_configuration(config, SCHEMA)
    assert re.search(sentence, str(error.value)), str(error.value)


def test_a_missing_key_is_named():
    config = copy.deepcopy(DEFAULTS)
    del config["selection"]["budget"]
    with pytest.raises(InputError, match="config key selection lacks budget; add it"):
        check_configuration(config, SCHEMA)


def test_merging_keeps_what_is_not_changed():
    changed = merged({"a": {"b": 1, "c": [1, 2]}, "d": 4}, {"a": {"c": [3]}})
    assert changed == {"a": {"b": 1, "c": [3]}, "d": 4}


def test_bad_yaml_is_named(tmp_path):
    (tmp_path / "a.yaml").write_text("a: [1\n")
    with pytest.raises(InputError, match=r"a.yaml is not valid YAML .*; correct it"):
        read_yaml(tmp_path / "a.yaml")
    with pytest.raises(InputError, match=r"none.yaml does not exist; restore it"):
        read_yaml(tmp_path / "none.yaml")
