from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from jointcore.evaluation.measure_catalogue import MEASURES
from jointcore.statistics.printing import printed
from jointcore.statistics.registered_tests import registered_tests
from jointcore.statistics.summaries import (
    TABLE2_FORMATS,
    TABLE5_FORMATS,
    mean_over_models,
    method_means,
    table2,
    table2_of_means,
    table5,
)

JOINTCORE, SINGLETON = "jointcore_cost_ordered", "conditional_singleton_cost"
TASKS = 432
SLUGS = {"jointcore": JOINTCORE, "singleton": SINGLETON}
STEMS = {
    "behavior": "behavioral_sufficiency",
    "exact": "exact_sufficiency",
    "minimum": "valid_minimum_set",
    "savings": "active_token_savings",
    "queries": "intervention_count",
}


def cell(value: float, digits: int) -> str:
    """A published number with the paper's digits, by decimal arithmetic."""
    return str(Decimal(str(value)).quantize(Decimal(1).scaleb(-digits)))


def published_table2(paper: dict) -> pd.DataFrame:
    columns = paper["table2"]["columns"]
    rows = {model: values for model, values in paper["table2"].items() if model != "columns"}
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def printed_table2(paper: dict) -> dict[str, list[str]]:
    table = published_table2(paper)
    digits = [2 if column.startswith("queries") else 3 for column in table.columns]
    return {
        model: [cell(value, places) for value, places in zip(row, digits, strict=True)]
        for model, row in zip(table.index, table.to_numpy().tolist(), strict=True)
    }


def cohort_of_published_means(paper: dict, make_frame) -> pd.DataFrame:
    """A made-up frame of 432 tasks a model whose means are the published ones, as printed."""
    table = published_table2(paper)
    frame = make_frame(table.index, tasks=TASKS, methods=tuple(SLUGS.values()))
    place = frame["paper_task_id"].str.removeprefix("task").astype(int)
    for model, row in table.iterrows():
        own = frame["model"] == model
        frame.loc[own, "control_accuracy"] = place[own] < round(row["control"] * TASKS)
        for label, method in SLUGS.items():
            rows = own & (frame["method"] == method)
            for stem, measure in STEMS.items():
                value = row[f"{stem}_{label}"]
                total = round(value * TASKS)
                if stem == "savings":
                    frame.loc[rows, measure] = value
                elif stem == "queries":
                    frame.loc[rows, measure] = total // TASKS + (place[rows] < total % TASKS)
                else:
                    frame.loc[rows, measure] = place[rows] < total
    return frame


def test_published_means_print_as_table_2(paper) -> None:
    table = published_table2(paper)
    long = [
        {"model": model, "method": SLUGS[label], "measure": measure, "mean": table.loc[model, f"{stem}_{label}"]}
        for model in table.index
        for stem, measure in STEMS.items()
        for label in SLUGS
    ]
    long += [
        {"model": model, "method": JOINTCORE, "measure": "control_accuracy", "mean": table.loc[model, "control"]}
        for model in table.index
    ]
    shuffled = pd.DataFrame(long).sample(frac=1.0, random_state=1)
    cells = printed(table2_of_means(shuffled), TABLE2_FORMATS).set_index("model")
    assert cells.columns.tolist() == paper["table2"]["columns"]
    assert {model: row.tolist() for model, row in cells.iterrows()} == printed_table2(paper)
    assert cells.loc["qwen25_14b"].tolist() == [
        "0.988", "1.000", "1.000", "0.586", "0.544", "0.465", "0.382", "0.881", "0.860", "9.97", "16.00",
    ]  # fmt: skip


def test_decisions_with_the_published_means_print_as_tables_2_and_5(paper, make_frame) -> None:
    frame = cohort_of_published_means(paper, make_frame)
    cells = printed(table2(frame), TABLE2_FORMATS).set_index("model")
    assert {model: row.tolist() for model, row in cells.iterrows()} == printed_table2(paper)

    rows = printed(table5(registered_tests(frame)), TABLE5_FORMATS).set_index("model")
    assert rows.index.tolist() == [model for model in paper["table5"] if model in REGISTERED]
    for model in rows.index:
        assert rows.loc[model, "difference"] == cell(paper["table5"][model][0], 2)
        assert rows.loc[model, "adjusted_p"] == paper["table5"]["adjusted_p"]


REGISTERED = ("qwen25_14b", "gemma4_12b_it", "mistral31_24b_4bit", "llama33_70b_4bit")


def test_published_tests_print_as_table_5(paper) -> None:
    columns = paper["table5"]["columns"]
    tests = pd.DataFrame(
        [
            {"model": model, "measure": measure, "p_adjusted": 12 / 20_001}
            | dict(zip(columns, paper["table5"][model] if measure == "intervention_count" else [0.0] * 3, strict=True))
            for model in REGISTERED[::-1]
            for measure in ("active_token_savings", "intervention_count")
        ]
    )
    cells = printed(table5(tests), TABLE5_FORMATS).set_index("model")
    assert cells.columns.tolist() == [*columns, "adjusted_p"]
    for model in REGISTERED:
        expected = [cell(value, 2) for value in paper["table5"][model]]
        assert cells.loc[model].tolist() == [*expected, "<.001"]
    assert cells.index.tolist() == list(REGISTERED)
    assert cells.loc["gemma4_12b_it"].tolist() == ["-5.30", "-5.81", "-4.77", "<.001"]


def test_mean_over_models_agrees_with_the_text_up_to_the_printed_digits(paper) -> None:
    means = mean_over_models(published_table2(paper))
    assert means.name == "mean"
    for name, published in paper["model_means"].items():
        # both sides were rounded: half a unit of the last digit each
        unit = 0.01 if name.startswith("queries") else 0.001
        assert abs(means[name] - published) <= unit


def test_means_skip_undefined_values_and_count_them(make_frame) -> None:
    frame = make_frame(tasks=15)
    frame.loc[frame["method"] == "random_b", "cost_gap"] = np.nan
    means = method_means(frame).set_index(["model", "method", "measure"])
    assert len(means) == 2 * 8 * (len(MEASURES) + 1)
    for (model, method), part in frame.groupby(["model", "method"]):
        for measure in (*MEASURES, "control_accuracy"):
            row = means.loc[(model, method, measure)]
            assert row["mean"] == pytest.approx(part[measure].mean(), abs=1e-12, nan_ok=True)
            assert (row["tasks"], row["undefined"]) == (15, part[measure].isna().sum())
    assert means.loc[("qwen25_14b", "random_b", "cost_gap"), "undefined"] == 15
    assert np.isnan(means.loc[("qwen25_14b", "random_b", "cost_gap"), "mean"])


def test_means_by_family(make_frame) -> None:
    frame = make_frame(tasks=15)
    means = method_means(frame, ("family",)).set_index(["model", "method", "family", "measure"])["mean"]
    expected = frame.groupby(["model", "method", "family"])["active_token_savings"].mean()
    found = means.xs("active_token_savings", level="measure")
    assert len(found) == 2 * 8 * 3
    assert found.sort_index().to_numpy() == pytest.approx(expected.sort_index().to_numpy(), abs=1e-12)
    with pytest.raises(ValueError, match="Column 'colour' is not in the model frame"):
        method_means(frame, ("colour",))


def test_row_order_changes_no_bit(make_frame) -> None:
    frame = make_frame(tasks=25)
    shuffled = frame.sample(frac=1.0, random_state=7)
    pd.testing.assert_frame_equal(method_means(frame), method_means(shuffled), check_exact=True)


def test_models_and_methods_stand_in_the_papers_order(make_frame) -> None:
    means = method_means(make_frame(("zeta", "llama33_70b_4bit", "alpha", "qwen25_14b"), tasks=2))
    assert means["model"].unique().tolist() == ["qwen25_14b", "llama33_70b_4bit", "alpha", "zeta"]
    assert means["method"].unique().tolist()[0] == "full_memory"
    assert means["method"].unique().tolist()[-1] == "exact_oracle"


def test_tables_refuse_what_they_cannot_show(make_frame) -> None:
    with pytest.raises(ValueError, match="no mean of 'behavioral_sufficiency' for method 'conditional_singleton"):
        table2(make_frame(tasks=2, methods=(JOINTCORE,)))
    with pytest.raises(ValueError, match="No row tests intervention_count"):
        table5(pd.DataFrame({"model": ["m"], "measure": ["active_token_savings"]}))
