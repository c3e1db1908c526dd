import math

import pytest

from jointcore.statistics.control import savings_by_control


def test_savings_are_split_by_whether_the_control_is_right(make_frame) -> None:
    frame = make_frame(("qwen25_14b",), tasks=8)
    frame["control_accuracy"] = frame["paper_task_id"] < "task00006"
    frame["active_token_savings"] = frame["control_accuracy"].map({True: 0.5, False: 1.0})
    rows = savings_by_control(frame)
    assert rows["method"].tolist() == ["conditional_singleton_cost", "jointcore_cost_ordered"]
    for row in rows.to_dict("records"):
        assert (row["tasks"], row["wrong"]) == (8, 2)
        assert (row["savings_right"], row["savings_wrong"]) == (0.5, 1.0)
        assert row["share_from_wrong"] == pytest.approx(2.0 / 5.0)
    right = savings_by_control(frame.assign(control_accuracy=True)).iloc[0]
    assert math.isnan(right["savings_wrong"])
    assert right["share_from_wrong"] == 0.0
    assert math.isnan(savings_by_control(frame.assign(active_token_savings=0.0)).iloc[0]["share_from_wrong"])
