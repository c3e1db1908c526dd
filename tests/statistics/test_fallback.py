import math

import pytest

from jointcore.statistics.fallback import archive_fallback, reverts

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"


@pytest.mark.parametrize(
    ("direct", "ab", "expected"),
    [
        ((60, 55), (50, 40), False),
        ((55, 60), (40, 50), False),
        ((60, 55), (40, 50), True),
        ((55, 60), (50, 40), True),
        ((60, 60), (50, 50), False),  # a tie counts as at least as good
        ((60, 60), (49, 50), True),
    ],
)
def test_reverts_when_the_verdict_turns(direct, ab, expected) -> None:
    assert reverts(direct, ab) is expected


def test_an_undefined_success_is_refused() -> None:
    with pytest.raises(ValueError, match="A trajectory success is NaN"):
        reverts((math.nan, 1), (1, 1))


def test_the_published_cells_revert_the_published_models(paper) -> None:
    columns = paper["figure4"]["columns"]
    direct, ab = columns.index("direct"), columns.index("ab")
    models = list(paper["table2"])[1:]
    fallen = [
        model for model in models if reverts(tuple(paper["figure4"][model][direct]), tuple(paper["figure4"][model][ab]))
    ]
    assert fallen == paper["archive_fallback"]


def test_one_row_a_model(make_frame, make_robustness) -> None:
    frame = make_frame(("qwen25_14b", "gemma4_12b_it"), tasks=20)
    counts = {
        ("gemma4_12b_it", "typed_mask", "direct"): (70, 60),
        ("gemma4_12b_it", "typed_mask", "ab"): (50, 60),
        ("gemma4_12b_it", "deletion", "ab"): (90, 60),  # another interface is not asked
        ("qwen25_14b", "typed_mask", "direct"): (60, 60),
        ("qwen25_14b", "typed_mask", "ab"): (61, 60),
    }
    rows = archive_fallback(make_robustness(counts), frame).set_index("model")
    assert rows.index.tolist() == ["qwen25_14b", "gemma4_12b_it"]
    fallen, kept = rows.loc["gemma4_12b_it"], rows.loc["qwen25_14b"]
    assert (fallen["direct_holds"], fallen["ab_holds"], fallen["reverts"]) == (True, False, True)
    assert (fallen["behavior"], fallen["savings"]) == (1.0, 0.0)
    assert fallen[["direct_jointcore", "direct_singleton", "ab_jointcore", "ab_singleton"]].tolist() == [70, 60, 50, 60]
    assert kept["robustness_tasks"] == 108
    assert kept["primary_tasks"] == 20
    assert bool(kept["reverts"]) is False
    own = frame[(frame["model"] == "qwen25_14b") & (frame["method"] == JOINTCORE)]
    assert kept["behavior"] == pytest.approx(own["behavioral_sufficiency"].mean(), abs=1e-12)
    assert kept["savings"] == pytest.approx(own["active_token_savings"].mean(), abs=1e-12)


def test_refuses_an_incomplete_run(make_frame, make_robustness) -> None:
    frame = make_frame(("m",), tasks=4)
    both = {("m", "typed_mask", "direct"): (1, 1), ("m", "typed_mask", "ab"): (1, 1)}
    robustness = make_robustness(both, tasks=4)
    with pytest.raises(ValueError, match="Model 'm' has no rows for label style 'ab' under 'typed_mask'"):
        archive_fallback(robustness[robustness["label_style"] == "direct"], frame)
    with pytest.raises(ValueError, match="Method 'conditional_singleton_cost' has no rows for model 'm'"):
        archive_fallback(robustness[robustness["method"] == JOINTCORE], frame)
    with pytest.raises(ValueError, match="Model 'm' has robustness rows and no jointcore_cost_ordered rows"):
        archive_fallback(robustness, make_frame(("other",), tasks=4))
    torn = robustness.drop(index=robustness[robustness["method"] == SINGLETON].index[0])
    with pytest.raises(ValueError, match="1 tasks with only one of"):
        archive_fallback(torn, frame)
