"""The registered cohort and the local one stay apart."""

import pytest

from jointcore.decisions.models.choice import choose_cohort
from jointcore.decisions.models.model_file import read_models
from jointcore.documents import read_yaml
from jointcore.errors import InputError
from paths import PROJECT


@pytest.fixture(scope="module")
def models():
    schema = read_yaml(PROJECT / "workflow" / "schemas" / "models.schema.yaml")
    return read_models(PROJECT / "config" / "models.yaml", schema)


def test_the_configured_cohorts_are_sound_and_share_no_model(models):
    cohorts = read_yaml(PROJECT / "config" / "config.yaml")["model_stage"]["cohorts"]
    chosen = {name: choose_cohort(models, name, keys) for name, keys in cohorts.items()}
    assert list(chosen["registered"]) == cohorts["registered"]
    assert {entry.role for entry in chosen["registered"].values()} == {"registered", "exploratory"}
    assert {entry.role for entry in chosen["local"].values()} == {"local"}


@pytest.mark.parametrize(
    ("cohort", "keys", "message"),
    [
        ("registered", ["qwen25_14b", "tiny_a"], "cohorts/registered: model tiny_a has the role local; list it under"),
        (
            "local",
            ["llama33_70b_4bit"],
            "cohorts/local: model llama33_70b_4bit has the role exploratory; list it",
        ),
        ("local", ["tiny_a", "tiny_a"], "cohorts/local: model 'tiny_a' is named twice"),
        ("local", ["tiny_z"], "cohorts/local: model 'tiny_z' has no entry; known are qwen25_14b"),
    ],
)
def test_a_model_in_the_wrong_cohort_is_refused(models, cohort, keys, message):
    with pytest.raises(InputError, match=message):
        choose_cohort(models, cohort, keys)
