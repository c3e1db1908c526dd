"""A mistake in the configuration is named with its key and the remedy."""

import copy
import re

import pytest

from jointcore.configuration import PUBLISHED_EXAMPLE, check_configuration, exact_grid, example_cell, model_grid
from jointcore.documents import merged, read_yaml, retyped
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
            "config key stages/1: 'all' is none of exact, registered, local, stress, cmi, oas, own_data; give a stage",
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
        (
            "methods/exact",
            ["full_memory"],
            "config key methods/exact lacks jointcore_cost_ordered, which Figure 1 follows; add",
        ),
        (
            "methods/model",
            ["jointcore_cost_ordered", "full_memory"],
            "config key methods/model lacks conditional_singleton_cost, which the registered tests compare; add",
        ),
        (
            "model_stage/robustness/methods",
            ["jointcore_cost_ordered"],
            "config key model_stage/robustness/methods lacks conditional_singleton_cost, which the gates compare; add",
        ),
        (
            "model_stage/robustness/methods",
            ["conditional_singleton_cost", "jointcore_cost_ordered", "ddmin"],
            "robustness/methods names ddmin, which methods/model does not run; add it there or leave it out here",
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


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        ({}, PUBLISHED_EXAMPLE),
        ({"candidate_counts": [64, 32]}, PUBLISHED_EXAMPLE._replace(candidate_count=64)),
        ({"seed_blocks": [7], "horizon_labels": [8]}, PUBLISHED_EXAMPLE._replace(seed_block=7, horizon_label=8)),
    ],
)
def test_the_published_example_gives_way_to_the_grid(exact, expected):
    config = merged(DEFAULTS, {"benchmark": {"exact": exact}})
    check_configuration(config, SCHEMA)
    assert example_cell(config) == expected
    assert expected in set(exact_grid(config).cells())


def test_families_alone_can_be_changed():
    config = merged(DEFAULTS, {"benchmark": {"families": ["threshold", "synergy_and"]}})
    check_configuration(config, SCHEMA)
    assert example_cell(config) == PUBLISHED_EXAMPLE._replace(family="threshold")


def test_an_own_example_does_not_give_way():
    config = merged(DEFAULTS, {"worked_example": {"seed_block": 1}, "benchmark": {"exact": {"seed_blocks": [0]}}})
    with pytest.raises(InputError, match="worked_example: no condition of the exact grid has these values"):
        check_configuration(config, SCHEMA)


def test_texts_of_the_command_line_have_their_type():
    given = {"selection": {"budget": "3", "empty_set_fails": "true"}, "deadline_hours": "null", "stages": ["exact"]}
    assert retyped(given) == {
        "selection": {"budget": 3, "empty_set_fails": True},
        "deadline_hours": None,
        "stages": ["exact"],
    }
    assert retyped("[1") == "[1"
    assert retyped(7) == 7


def test_bad_yaml_is_named(tmp_path):
    (tmp_path / "a.yaml").write_text("b: 1\na: [1, }\n")
    with pytest.raises(InputError, match=r"a.yaml is not valid YAML \(line 2: .*\); correct it"):
        read_yaml(tmp_path / "a.yaml")
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\n")
    with pytest.raises(InputError, match=r"a.yaml is not UTF-8 text; save it as UTF-8"):
        read_yaml(tmp_path / "a.yaml")
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\); make it a readable file"):
        read_yaml(tmp_path)
    (tmp_path / "a.yaml").write_text("\x00")
    with pytest.raises(InputError, match=r"a.yaml is not valid YAML .*; correct it"):
        read_yaml(tmp_path / "a.yaml")
    with pytest.raises(InputError, match=r"none.yaml does not exist; restore it"):
        read_yaml(tmp_path / "none.yaml")
