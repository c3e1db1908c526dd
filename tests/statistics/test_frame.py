import numpy as np
import pandas as pd
import pytest

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.statistics.frame import (
    require_measure,
    validate_model_frame,
    validate_robustness_frame,
)


def test_a_valid_frame_comes_back_sorted_and_equal(make_frame) -> None:
    frame = make_frame(tasks=6).assign(extra="kept")
    shuffled = frame.sample(frac=1.0, random_state=3)
    checked = validate_model_frame(shuffled)
    key = ["model", "method", "paper_task_id"]
    expected = frame.sort_values(key, ignore_index=True)
    pd.testing.assert_frame_equal(checked[key], expected[key])
    assert checked["extra"].eq("kept").all()
    for measure in MEASURES:
        np.testing.assert_array_equal(checked[measure].to_numpy(), expected[measure].to_numpy())
    assert not shuffled.index.equals(checked.index)  # the caller's frame is untouched


def test_nullable_dtypes_are_accepted(make_frame) -> None:
    frame = make_frame(tasks=3)
    nullable = frame.convert_dtypes()
    pd.testing.assert_frame_equal(
        validate_model_frame(nullable)[list(MEASURES)], validate_model_frame(frame)[list(MEASURES)]
    )


@pytest.mark.parametrize(
    "column", ["model", "paper_task_id", "family", "seed_block", "cost_gap", "trajectory_success", "control_accuracy"]
)
def test_a_missing_column_is_named(make_frame, column: str) -> None:
    with pytest.raises(ValueError, match=f"The model frame lacks the column {column};"):
        validate_model_frame(make_frame(tasks=2).drop(columns=column))


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("method", None, "Column 'method' misses 1 of 32 values"),
        ("model", "", "Column 'model' holds an empty text"),
        ("behavioral_sufficiency", None, "Column 'behavioral_sufficiency' misses 1 of 32 values"),
        ("behavioral_sufficiency", "yes", "Column 'behavioral_sufficiency' holds object values; write it as bool"),
        ("active_token_savings", np.nan, "Column 'active_token_savings' misses 1"),
        ("active_token_savings", 1.2, "Column 'active_token_savings' holds 1.2, outside 0 to 1"),
        ("critical_recall", -0.1, "Column 'critical_recall' holds -0.1, outside 0 to 1"),
        ("cost_gap", np.inf, "Column 'cost_gap' holds an infinite value"),
        ("intervention_count", 2.5, "Column 'intervention_count' holds 2.5; write it as whole numbers"),
        ("intervention_count", -1, "Column 'intervention_count' holds -1, outside"),
        ("selection_accuracy", "high", "Column 'selection_accuracy' holds object values; write it as numbers"),
        ("support_size", 1.5, "Column 'support_size' holds 1.5; write it as whole numbers"),
    ],
)
def test_a_wrong_value_is_named_with_its_column(make_frame, column, value, message) -> None:
    frame = make_frame(tasks=2)
    frame[column] = frame[column].astype(object)
    frame.loc[5, column] = value
    if value is not None and not isinstance(value, str):
        frame[column] = frame[column].astype(float)
    with pytest.raises(ValueError, match=message) as caught:
        validate_model_frame(frame)
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")


def test_a_row_given_twice_is_named(make_frame) -> None:
    frame = make_frame(tasks=2)
    with pytest.raises(ValueError, match="model 'qwen25_14b', method 'full_memory', paper_task_id 'task00001'"):
        validate_model_frame(pd.concat([frame, frame.iloc[[1]]]))


def test_what_belongs_to_the_task_may_not_differ(make_frame) -> None:
    frame = make_frame(tasks=2)
    frame.loc[3, "family"] = "threshold"
    with pytest.raises(ValueError, match="Column 'family' differs between the rows of paper_task_id 'task00001'"):
        validate_model_frame(frame)
    frame = make_frame(tasks=2)
    frame.loc[3, "control_accuracy"] = ~frame.loc[3, "control_accuracy"]
    with pytest.raises(ValueError, match="Column 'control_accuracy' differs between the rows of model 'qwen25_14b'"):
        validate_model_frame(frame)


def test_an_empty_frame_is_refused(make_frame) -> None:
    with pytest.raises(ValueError, match="The model frame has no rows"):
        validate_model_frame(make_frame(tasks=2).iloc[:0])


def test_robustness_frame(make_robustness) -> None:
    frame = make_robustness({("m", "deletion", "boolean"): (3, 2)}, tasks=4)
    frame["action"] = frame["action"].astype(object)
    frame.loc[0, "action"] = None  # an invalid decision takes no action
    checked = validate_robustness_frame(frame.sample(frac=1.0, random_state=1))
    assert len(checked) == 8
    assert checked["action"].isna().sum() == 1
    with pytest.raises(ValueError, match="The robustness frame lacks the column action"):
        validate_robustness_frame(frame.drop(columns="action"))
    with pytest.raises(ValueError, match="interface 'deletion', label_style 'boolean' is there more than once"):
        validate_robustness_frame(pd.concat([frame, frame]))
    with pytest.raises(ValueError, match="Column 'agrees_with_primary' holds int64 values"):
        validate_robustness_frame(frame.assign(agrees_with_primary=1))


def test_measures_are_known_by_name() -> None:
    assert require_measure("trajectory_success") is True
    assert require_measure("cost_gap") is False
    with pytest.raises(ValueError, match="'speed' is no measure; choose one of behavioral_sufficiency"):
        require_measure("speed")
