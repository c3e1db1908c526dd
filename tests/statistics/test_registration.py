"""The study's models, declared once, and the order of methods."""

from jointcore.documents import read_yaml
from jointcore.selection.catalogue import all_methods, choose_methods
from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.registration import REGISTERED_COHORT, STUDY_MODELS, ordered_methods
from paths import PROJECT


def test_the_registry_of_models_holds_the_studys_as_they_are_declared():
    registry = read_yaml(PROJECT / "config" / "models.yaml")["models"]
    for key, model in STUDY_MODELS.items():
        entry = registry[key]
        assert (entry["name"], entry["role"]) == (model.name, model.role)
        assert model.is_of(entry)
        assert not model.is_of({**entry, "precision": "float32"})
        assert not model.is_of({**entry, "revision": "0" * 40})
    study = {key for key, entry in registry.items() if entry["role"] in ("registered", "exploratory")}
    assert study == set(STUDY_MODELS) == set(REGISTERED_COHORT)


def test_methods_stand_in_the_order_of_their_catalogue():
    slugs = [method.slug for method in all_methods()]
    assert ordered_methods(reversed(slugs)) == slugs
    assert slugs[:8] == [method.slug for method in choose_methods("study")]
    assert ordered_methods(["zeta", "random_b", "alpha"], ["zeta"]) == ["zeta", "random_b", "alpha"]


def test_a_checked_frame_is_not_checked_again(make_frame):
    checked = ModelFrame.of(make_frame(tasks=3), ("exact_oracle", "random_b"))
    assert ModelFrame.of(checked) is checked
    assert checked.methods[:2] == ("exact_oracle", "random_b")
    assert checked.models == ("qwen25_14b", "gemma4_12b_it")
