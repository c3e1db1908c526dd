"""Tasks as Parquet: what is written is read, by us and by others; a bad file is named."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jointcore.errors import InputError
from jointcore.parquet import SHARD, WEIGHT, shards
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.storage import count_tasks, read_tasks, write_tasks

GRID = Grid(candidate_counts=(8, 9), seed_blocks=(0, 1, 2))


@pytest.fixture(scope="module")
def tasks():
    return list(generate_tasks(GRID))


@pytest.fixture
def path(tmp_path, tasks):
    assert write_tasks(tmp_path / "tasks.parquet", iter(tasks)) == len(tasks)
    return tmp_path / "tasks.parquet"


def test_round_trip_over_several_shards(path, tasks):
    assert len(tasks) > SHARD
    assert list(read_tasks(path)) == tasks
    assert count_tasks(path) == len(tasks)
    assert pq.ParquetFile(path).num_row_groups == -(-len(tasks) // SHARD)


def test_shards_are_bounded_by_rows_and_weight():
    assert [len(shard) for shard in shards(range(2500), lambda _: 1)] == [SHARD, SHARD, 2500 - 2 * SHARD]
    assert [len(shard) for shard in shards(range(5), lambda _: WEIGHT // 2)] == [2, 2, 1]
    assert [len(shard) for shard in shards(range(3), lambda _: 2 * WEIGHT)] == [1, 1, 1]
    assert list(shards([], lambda _: 1)) == []


def test_same_bytes_again(path, tmp_path, tasks):
    write_tasks(tmp_path / "again.parquet", tasks)
    assert (tmp_path / "again.parquet").read_bytes() == path.read_bytes()


def test_pandas_reads_it(path, tasks):
    frame = pd.read_parquet(path)
    assert list(frame["paper_task_id"]) == [task.question.id for task in tasks]
    assert frame["records"][7][3]["relevance"] == tasks[7].records[3].relevance


def test_datasets_reads_it(path, tasks, tmp_path):
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset("parquet", data_files=str(path), cache_dir=str(tmp_path / "cache"), split="train")
    assert len(found) == len(tasks)
    assert found[5]["records"][0]["name"] == tasks[5].records[0].name


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_truncated_file_is_named(path, share):
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(InputError, match=r"tasks.parquet is not a complete Parquet file .*; delete it and run"):
        list(read_tasks(path))


def test_damaged_pages_are_named(path):
    data = bytearray(path.read_bytes())
    data[200:4000] = bytes(3800)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"tasks.parquet is damaged .*; delete it and run"):
        list(read_tasks(path))


def test_foreign_files_are_named(tmp_path, path):
    foreign = tmp_path / "foreign.parquet"
    pq.write_table(pa.table({"x": [1]}), foreign)
    with pytest.raises(InputError, match="foreign.parquet does not hold JointCoreBench tasks"):
        list(read_tasks(foreign))
    pq.write_table(pq.read_table(path).replace_schema_metadata({}), foreign)
    with pytest.raises(InputError, match="does not hold JointCoreBench tasks"):
        list(read_tasks(foreign))
    table = pq.read_table(path)
    position = table.schema.get_field_index("seed")
    pq.write_table(table.set_column(position, "seed", table["seed"].cast(pa.int32())), foreign)
    with pytest.raises(InputError, match="holds column 'seed' as int32 instead of int64"):
        list(read_tasks(foreign))
    with pytest.raises(InputError, match="none.parquet does not exist; run the rule that makes it"):
        list(read_tasks(tmp_path / "none.parquet"))
