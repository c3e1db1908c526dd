"""A file appears whole or not at all, and a full or read-only disk is named."""

import subprocess
import sys

import pytest

from jointcore.errors import InputError
from jointcore.files import read_json, whole_file, write_json, write_text


@pytest.fixture
def mounted(tmp_path):
    """Mount a small file system; tests that need one are skipped where that is not allowed."""
    folder = tmp_path / "mount"
    folder.mkdir()

    def mount(options):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], capture_output=True, check=False)
        if done.returncode:
            pytest.skip("mounting a file system is not allowed here")
        return folder

    yield mount
    subprocess.run(["umount", folder], capture_output=True, check=False)


def test_text_has_unix_line_ends_and_leaves_nothing_else(tmp_path):
    write_text(tmp_path / "new" / "a.txt", "x\ny\n")
    assert (tmp_path / "new" / "a.txt").read_bytes() == b"x\ny\n"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.txt"]


def test_a_failed_write_keeps_the_old_file(tmp_path):
    write_text(tmp_path / "a", "old")
    with pytest.raises(RuntimeError), whole_file(tmp_path / "a") as partial:
        partial.write_text("half")
        raise RuntimeError
    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


WRITER = """
import sys
from jointcore.files import whole_file
with whole_file(sys.argv[1]) as partial:
    with open(partial, "w") as file:
        print(file.write("other " * 9), flush=True)
        sys.stdin.readline()
        file.write("end")
"""


def test_two_processes_that_write_one_file_do_not_meet(tmp_path):
    path = tmp_path / "a"
    other = subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    other.stdout.readline()
    write_text(path, "mine")
    assert path.read_text() == "mine"
    other.communicate("go on\n")
    assert other.returncode == 0
    assert path.read_text() == "other " * 9 + "end"
    assert [left.name for left in tmp_path.iterdir()] == ["a"]


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    path = tmp_path / "a"
    other = subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    other.stdout.readline()
    other.kill()
    other.wait()
    assert len(list(tmp_path.iterdir())) == 1
    write_text(path, "mine")
    assert [left.name for left in tmp_path.iterdir()] == ["a"]


def test_undefined_numbers_are_refused(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"x": float("nan")})
    assert not (tmp_path / "a.json").exists()


def test_full_disk_is_named_and_leaves_no_part(mounted):
    folder = mounted("size=64k")
    with pytest.raises(InputError, match=r"cannot write .*big: the disk is full or over quota; free some space"):
        write_text(folder / "big", "x" * 200_000)
    assert list(folder.iterdir()) == []


def test_read_only_folder_is_named(mounted):
    folder = mounted("size=64k,ro")
    with pytest.raises(InputError, match=r"cannot write .*a: the folder is read-only; make it writable"):
        write_text(folder / "a", "x")


def test_json_comes_back_and_what_is_not_json_is_named(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"a": [1, None, "é"]})
    assert read_json(path) == {"a": [1, None, "é"]}
    path.write_text(path.read_text()[:-3])
    with pytest.raises(InputError, match=r"a.json is not valid JSON \(line \d: .*\); move it away and run the same"):
        read_json(path)
    path.write_bytes(b'"\xff"')
    with pytest.raises(InputError, match=r"a.json is not UTF-8 text; move it away"):
        read_json(path)
    with pytest.raises(InputError, match=r"b.json does not exist; run the rule that makes it, or restore it"):
        read_json(tmp_path / "b.json")
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\)"):
        read_json(tmp_path)
