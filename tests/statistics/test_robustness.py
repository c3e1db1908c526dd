import pandas as pd
import pytest

from jointcore.statistics.robustness import PUBLISHED_CELLS, published_columns, robustness_cells

COUNTS = {
    ("b", "typed_mask", "boolean"): (62, 58),
    ("b", "typed_mask", "direct"): (81, 79),
    ("b", "deletion", "boolean"): (66, 63),
    ("b", "deletion", "ab"): (10, 20),
    ("a", "typed_mask", "ab"): (30, 30),
}


@pytest.fixture(scope="module")
def cells(make_robustness) -> pd.DataFrame:
    return robustness_cells(make_robustness(COUNTS), replicates=200)


def test_every_cell_that_was_run(cells) -> None:
    found = {(row.model, row.interface, row.label_style): row for row in cells.itertuples()}
    assert set(found) == set(COUNTS)
    for key, (jointcore, singleton) in COUNTS.items():
        row = found[key]
        assert row.tasks == 108
        assert row.mean_first == pytest.approx(jointcore / 108, abs=1e-12)
        assert row.mean_second == pytest.approx(singleton / 108, abs=1e-12)
        assert row.difference == pytest.approx((jointcore - singleton) / 108, abs=1e-12)
        assert row.ci_low <= row.difference <= row.ci_high
        # the fixture's successes are nested, so only one side has discordant pairs
        assert row.first_only == max(0, jointcore - singleton)
        assert row.second_only == max(0, singleton - jointcore)
        assert (row.agreement_first, row.agreement_second) == (0.5, 0.25)
    assert cells["kind"].eq("descriptive").all()


def test_the_published_columns_share_the_primary_cell(cells) -> None:
    table = published_columns(cells).set_index(["model", "column"])
    assert table.index.tolist() == [
        ("a", "ab"), ("b", "primary"), ("b", "deletion"), ("b", "typed_mask"), ("b", "direct"),
    ]  # fmt: skip
    assert table.loc[("b", "primary")].tolist() == table.loc[("b", "typed_mask")].tolist()
    assert table.loc[("b", "direct"), "jointcore"] == pytest.approx(81 / 108, abs=1e-12)
    assert published_columns(cells.iloc[:0]).empty


def test_the_published_columns_are_those_of_the_paper(paper) -> None:
    assert list(PUBLISHED_CELLS) == paper["figure4"]["columns"]


def test_a_cell_depends_neither_on_row_order_nor_on_other_cells(make_robustness, cells) -> None:
    key = ("b", "typed_mask", "direct")
    alone = robustness_cells(make_robustness({key: COUNTS[key]}).sample(frac=1.0, random_state=4), replicates=200)
    whole = cells[(cells["model"] == key[0]) & (cells["label_style"] == "direct")].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, whole, check_exact=True)


def test_refuses_a_cell_of_one_method(make_robustness) -> None:
    frame = make_robustness({("b", "deletion", "ab"): (1, 1)}, tasks=3)
    with pytest.raises(ValueError, match="Method 'jointcore_cost_ordered' has no rows for model 'b'"):
        robustness_cells(frame[frame["method"] != "jointcore_cost_ordered"])
