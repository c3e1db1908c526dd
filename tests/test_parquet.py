"""A file that cannot be read is named with the remedy that fits it: nothing that people made is to be deleted."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jointcore.errors import InputError
from jointcore.parquet import count_rows, open_parquet, write_batches

SCHEMA = pa.schema([("n", pa.int32())])
KIND = "counts, version 2"


def refusal(path):
    with pytest.raises(InputError) as refused:
        open_parquet(path, KIND, SCHEMA)
    return str(refused.value)


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "counts.parquet"
    write_batches(path, KIND, SCHEMA, [pa.record_batch([pa.array([1, 2], pa.int32())], schema=SCHEMA)])
    return path


def test_a_cut_file_is_made_anew_and_another_file_is_left_alone(whole):
    assert count_rows(whole, KIND, SCHEMA) == 2
    for cut in (0, 3, 60):
        whole.write_bytes(whole.read_bytes()[:cut])
        assert "is not a complete Parquet file" in refusal(whole)
        assert refusal(whole).endswith("delete it and run the same command again")
    readme = whole.with_name("README.md")
    readme.write_text("# Notes\n")
    assert refusal(readme) == f"{readme} is no Parquet file; name the file that holds {KIND}"
    assert "delete" not in refusal(whole.parent)


def test_an_older_version_is_made_anew_and_another_kind_is_left_alone(whole):
    write_batches(whole, "counts, version 1", SCHEMA, [])
    assert refusal(whole).endswith("(it is marked as counts, version 1); delete it and run the same command again")
    write_batches(whole, "tasks, version 2", SCHEMA, [])
    assert refusal(whole).endswith("(it is marked as tasks, version 2); name the file that holds counts, version 2")
    pq.write_table(pa.table({"n": [1]}), whole)
    assert refusal(whole).endswith("(it is marked as nothing); name the file that holds counts, version 2")


def test_a_missing_column_is_named(whole):
    other = pa.schema([("m", pa.int32())])
    write_batches(whole, KIND, other, [])
    assert "has no column 'n'" in refusal(whole)
