"""CSV files that are read again are whole, unchanged and of the columns that are needed."""

import math
import shutil
import subprocess

import pandas as pd
import pytest

from jointcore.csv_files import read_csv, write_csv
from jointcore.errors import InputError

FRAME = pd.DataFrame(
    {
        "method": ["a", "b, c", 'd "e"'],
        "mean": [0.1 + 0.2, math.nan, -1e-300],
        "tasks": [1, 2, 3],
        "passed": [True, False, True],
        "level": ["0", "0.5", "1"],
    }
)


@pytest.fixture
def sealed(tmp_path):
    path = tmp_path / "summary.csv"
    write_csv(path, FRAME, seal=True)
    return path


def test_a_sealed_file_gives_back_every_value_and_type(sealed):
    found = read_csv(sealed, ["mean", "tasks"], text=["level"])
    pd.testing.assert_frame_equal(found, FRAME, check_exact=True)
    assert pd.read_csv(sealed)["mean"][0] == 0.1 + 0.2, "other tools read it as it is"


def test_a_common_tool_checks_the_seal(sealed):
    if not shutil.which("sha256sum"):
        pytest.skip("sha256sum is not installed")
    command = ["sha256sum", "--check", "--strict", f"{sealed.name}.sha256"]
    assert subprocess.run(command, cwd=sealed.parent, check=False, capture_output=True).returncode == 0


def test_a_file_without_rows_is_read(tmp_path):
    write_csv(tmp_path / "none.csv", FRAME.iloc[:0], seal=True)
    assert list(read_csv(tmp_path / "none.csv").columns) == list(FRAME)


def test_only_a_sealed_file_has_a_seal(tmp_path):
    write_csv(tmp_path / "figure.csv", FRAME)
    assert [path.name for path in tmp_path.iterdir()] == ["figure.csv"]
    with pytest.raises(InputError, match=r"figure.csv has no figure.csv.sha256 beside it") as refused:
        read_csv(tmp_path / "figure.csv")
    assert "delete" not in str(refused.value), "a file that people made is not to be deleted"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("mean", "average", 1), "column mean is gone"),
        (lambda text: text.replace("method,mean", "mean,method", 1), "its header was changed"),
        (lambda text: "\n".join(text.splitlines()[:2]) + "\n", "1 of 3 rows"),
        (lambda text: text[: int(0.8 * len(text))], "of 3 rows|do not fit|changed"),
        (lambda text: text.replace("0.30000000000000004", "0.3"), "a value was changed"),
        (lambda text: text + text.splitlines()[-1] + "\n", "4 of 3 rows"),
        (lambda text: "", "column method is gone"),
    ],
)
def test_a_changed_file_is_refused_with_what_was_changed(sealed, change, said):
    sealed.write_text(change(sealed.read_text()))
    with pytest.raises(InputError, match=rf"summary.csv is not as it was written \(.*({said}).*\); copy it anew"):
        read_csv(sealed)


def test_a_missing_file_or_column_and_a_damaged_seal_are_named(sealed):
    with pytest.raises(InputError, match=r"other.csv does not exist; run the rule"):
        read_csv(sealed.with_name("other.csv"))
    with pytest.raises(InputError, match="has no column 'ci_low', so another version"):
        read_csv(sealed, ["mean", "ci_low"])
    sealed.with_name("summary.csv.sha256").write_text("")
    with pytest.raises(InputError, match=r"summary.csv.sha256 is damaged"):
        read_csv(sealed)
