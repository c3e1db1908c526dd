"""Files of the model stage: complete, documented, refused when foreign, and what the statistics take."""

import math
from functools import cache

import pandas as pd
import pyarrow.parquet as pq
import pytest

from evaluation.model_cases import SETTINGS, Recorded, logical, small_tasks, study_methods
from jointcore.bitsets import bitset, from_bytes
from jointcore.errors import InputError
from jointcore.evaluation.answers import COMPARED_INTERFACES, DecisionMemo
from jointcore.evaluation.model_rows import Model, primary_row, robustness_row, trace_of, transfer_row
from jointcore.evaluation.model_stage import run_primary, shard_of
from jointcore.evaluation.model_storage import (
    PRIMARY_ROWS,
    ROBUSTNESS_ROWS,
    TRACE_ROWS,
    TRANSFER_ROWS,
    merge_shards,
    read_rows,
    write_rows,
)
from jointcore.evaluation.robustness import full_cross, run_robustness, selected_sets
from jointcore.evaluation.transfer import run_transfer
from jointcore.hashing import stable_seed
from jointcore.statistics.fallback import archive_fallback
from jointcore.statistics.frame import validate_model_frame, validate_robustness_frame
from paths import PROJECT

MODEL = Model("scripted", "local")
METHODS = ["conditional_singleton_cost", "jointcore_cost_ordered"]
KINDS = [PRIMARY_ROWS, TRACE_ROWS, ROBUSTNESS_ROWS, TRANSFER_ROWS]


def sometimes_invalid(query):
    drawn = stable_seed(query.question.id, query.retained, query.interface, query.label_style) % 5
    return None if drawn == 0 else logical(query)


@cache
def stage():
    """Outcomes of a decider that is invalid now and then, and what follows from them."""
    memo = DecisionMemo(Recorded(sometimes_invalid))
    outcomes = run_primary(memo, shard_of(small_tasks(), 0, 1), study_methods(), SETTINGS)
    ids = {task.question.id for task in small_tasks()}
    cells = full_cross(COMPARED_INTERFACES, ["boolean", "direct", "ab"])
    redecided = run_robustness(memo, selected_sets(outcomes, METHODS, ids), cells)
    primary = [primary_row(MODEL, outcome) for outcome in outcomes]
    return {
        PRIMARY_ROWS.name: primary,
        TRACE_ROWS.name: [trace_of(MODEL, outcome) for outcome in outcomes],
        ROBUSTNESS_ROWS.name: [robustness_row(MODEL, outcome) for outcome in redecided],
        TRANSFER_ROWS.name: [
            transfer_row("local", o)
            for o in run_transfer(memo, "a", small_tasks(), {"a": primary, "b": primary}, METHODS)
        ],
    }


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_column_of_every_row_is_written_and_read_back(tmp_path, kind):
    rows = stage()[kind.name]
    assert all(set(kind.schema.names) <= set(row) for row in rows)
    path = tmp_path / "rows.parquet"
    assert write_rows(path, kind, rows) == len(rows)
    expected = [{name: row[name] for name in kind.schema.names} for row in rows]
    assert list(read_rows(path, kind)) == expected


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_column_is_documented(kind):
    text = (PROJECT / "docs" / "model_stage.md").read_text(encoding="utf-8")
    assert kind.name in text
    assert [name for name in kind.schema.names if f"`{name}`" not in text] == []


def test_the_columns_begin_with_what_was_run():
    names = PRIMARY_ROWS.schema.names
    assert names[:9] == [
        "model",
        "paper_task_id",
        "domain",
        "family",
        "candidate_count",
        "support_size",
        "horizon_label",
        "seed_block",
        "method",
    ]


def test_undefined_values_are_null_and_never_a_number():
    rows = stage()[PRIMARY_ROWS.name]
    invalid = [row for row in rows if row["reference_action"] is None]
    assert 0 < len(invalid) < len(rows)
    for row in rows:
        assert (row["reference_margin"] is None) == (row["reference_action"] is None)
        assert (row["final_margin"] is None) == (row["final_action"] is None or row["reference_action"] is None)
        assert (row["terminal_margin"] is None) == (row["terminal_action"] is None)
        assert (row["selection_accuracy"] is None) == (row["intervention_count"] == 0)
        assert (row["cost_gap"] is None) == (not row["exact_sufficiency"])
        assert (row["invalid_reason"] != "") == (row["invalid_decisions"] > 0)


def test_traces_hold_what_was_asked_and_lead_to_the_selected_set():
    primary = stage()[PRIMARY_ROWS.name]
    for row, trace in zip(primary, stage()[TRACE_ROWS.name], strict=True):
        assert (trace["paper_task_id"], trace["method"]) == (row["paper_task_id"], row["method"])
        assert len(trace["tested"]) == len(trace["action"]) == row["intervention_count"]
        for action, margin, same in zip(trace["action"], trace["margin"], trace["same"], strict=True):
            valid = action is not None and row["reference_action"] is not None
            assert (margin is None) == (not valid)
            assert same == (valid and action == row["reference_action"])
        if row["method"] in METHODS:
            dropped = sum(from_bytes(records) for records in trace["dropped"])
            assert bitset(row["selected"]) == 2 ** row["candidate_count"] - 1 - dropped


def test_the_statistics_take_the_frames_as_they_are(tmp_path):
    frames = {}
    for kind in (PRIMARY_ROWS, ROBUSTNESS_ROWS):
        path = tmp_path / "rows.parquet"
        write_rows(path, kind, stage()[kind.name])
        frames[kind.name] = pd.read_parquet(path)
    assert len(validate_model_frame(frames[PRIMARY_ROWS.name])) == 18 * 8
    assert len(validate_robustness_frame(frames[ROBUSTNESS_ROWS.name])) == 18 * 2 * 15
    (fallback,) = archive_fallback(frames[ROBUSTNESS_ROWS.name], frames[PRIMARY_ROWS.name]).to_dict("records")
    assert (fallback["model"], fallback["robustness_tasks"]) == ("scripted", 18)
    assert not math.isnan(fallback["behavior"])


def test_an_empty_shard_of_robustness_merges(tmp_path):
    rows = [row for row in stage()[ROBUSTNESS_ROWS.name] if row["task_index"] % 4 == 0]
    even, odd, merged = tmp_path / "even.parquet", tmp_path / "odd.parquet", tmp_path / "merged.parquet"
    write_rows(even, ROBUSTNESS_ROWS, rows)
    write_rows(odd, ROBUSTNESS_ROWS, [])
    assert merge_shards(merged, ROBUSTNESS_ROWS, [even, odd]) == len(rows)
    assert merged.read_bytes() == even.read_bytes()


def test_a_shard_in_the_wrong_place_is_refused(tmp_path):
    path = tmp_path / "shard.parquet"
    write_rows(path, PRIMARY_ROWS, stage()[PRIMARY_ROWS.name])
    with pytest.raises(InputError, match=r"shard.parquet holds task \d+, which is not in shard \d of 2; delete it"):
        merge_shards(tmp_path / "merged.parquet", PRIMARY_ROWS, [path, path])
    assert not (tmp_path / "merged.parquet").exists()


def test_foreign_and_truncated_files_are_refused(tmp_path):
    path = tmp_path / "rows.parquet"
    write_rows(path, ROBUSTNESS_ROWS, stage()[ROBUSTNESS_ROWS.name])
    with pytest.raises(InputError, match="does not hold model-stage outcomes"):
        list(read_rows(path, PRIMARY_ROWS))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="is not a complete Parquet file"):
        list(read_rows(path, ROBUSTNESS_ROWS))


def test_files_are_plain_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    write_rows(path, PRIMARY_ROWS, stage()[PRIMARY_ROWS.name])
    assert pq.read_table(path).num_rows == 18 * 8
