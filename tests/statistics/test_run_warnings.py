"""A run whose answers say nothing is said to say nothing."""

import pandas as pd
import pytest

from jointcore.statistics.run_warnings import run_warnings

SOUND = {"invalid_decisions": 0.0, "intervention_count": 11.0, "satisfied_share": 0.6, "control_accuracy": 0.9}


def summary(**models):
    rows = [
        {"model": model, "method": method, "measure": measure, "mean": value}
        for model, changes in models.items()
        for method in ("jointcore_cost_ordered", "conditional_singleton_cost")
        for measure, value in {**SOUND, **changes}.items()
    ]
    return pd.DataFrame(rows)


def test_a_sound_run_is_not_warned_of():
    assert run_warnings(summary(tiny={}), {"tiny": "Tiny"}) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"invalid_decisions": 12.0, "control_accuracy": 0.0}, "Tiny: 100% of its decisions are invalid"),
        ({"invalid_decisions": 7.2}, "Tiny: 60% of its decisions are invalid"),
        ({"satisfied_share": 1.0}, "Tiny: YES to every question"),
        ({"satisfied_share": 0.0}, "Tiny: NO to every question"),
        ({"control_accuracy": float("nan")}, "Tiny: its control accuracy is undefined"),
        ({"control_accuracy": 0.4}, "Tiny: full memory is decided right in 40% of the tasks"),
    ],
)
def test_one_that_says_little_is(changes, sentence):
    found = run_warnings(summary(sound={}, tiny=changes), {"sound": "Sound", "tiny": "Tiny"})
    assert any(each.startswith(sentence) for each in found)
    assert not any(each.startswith("Sound") for each in found)
