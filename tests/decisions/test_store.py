from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decisions import store_process
from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.store import segments
from jointcore.decisions.store.decision_store import KIND, DecisionStore, Entry
from jointcore.decisions.store.segments import SegmentWriter, read_segment, segment_paths
from jointcore.errors import InputError
from paths import PROJECT

IDENTITY = store_process.IDENTITY
answer, note, request_of = store_process.answer, store_process.note, store_process.request_of


def fill(folder, numbers):
    with DecisionStore(folder, IDENTITY) as store:
        store.add(Entry(store.key(request_of(n)), answer(n), note(n)) for n in numbers)


def known(folder, numbers):
    store = DecisionStore(folder, IDENTITY)
    return {n: store.get(store.key(request_of(n))) for n in numbers}


def test_answers_come_back_as_they_were(tmp_path):
    fill(tmp_path, range(20))
    assert known(tmp_path, range(21)) == {**{n: answer(n) for n in range(20)}, 20: None}


def test_the_key_depends_on_everything(tmp_path):
    requests = [
        ScoringRequest((1, 2), ((3,), (4,))),
        ScoringRequest((1, 2, 3), ((3,), (4,))),
        ScoringRequest((1, 2), ((4,), (3,))),
        ScoringRequest((1, 2), ((3, 4), (4,))),
    ]
    identities = [IDENTITY] + [{**IDENTITY, name: "other"} for name in IDENTITY]
    keys = [DecisionStore(tmp_path, identity).key(request) for identity in identities for request in requests]
    assert len(set(keys)) == len(keys) == 4 * (1 + len(IDENTITY))
    assert keys[0] == DecisionStore(tmp_path / "elsewhere", dict(reversed(IDENTITY.items()))).key(requests[0])


@cache
def _segment():
    with tempfile.TemporaryDirectory() as folder:
        fill(folder, range(6))
        return segment_paths(Path(folder))[0].read_bytes()


@given(length=st.integers(0, len(_segment())))
@settings(max_examples=150, deadline=None)
def test_a_segment_cut_at_any_byte_keeps_its_whole_records(length):
    content = _segment()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "host-1-a.decisions").write_bytes(content[:length])
        whole = max(0, content[:length].count(b"\n") - 1)
        store = DecisionStore(folder, IDENTITY)
        assert len(store) == whole
        assert store.damaged == (length > 0 and content[length - 1 : length] != b"\n")
        fill(folder, range(6))
        assert known(folder, range(6)) == {n: answer(n) for n in range(6)}


@given(position=st.integers(0, len(_segment()) - 1), value=st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_a_changed_byte_loses_the_records_that_it_touches_and_no_other(position, value):
    content = bytearray(_segment())
    unchanged = content[position] == value
    line = content[:position].count(b"\n")
    newline = content[position : position + 1] == b"\n"
    content[position] = value
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "host-1-a.decisions").write_bytes(content)
        store = DecisionStore(folder, IDENTITY)
        hurt = {line - 1, line} if newline else {line - 1}
        for n in range(6):
            found = store.get(store.key(request_of(n)))
            if unchanged or n not in hurt:
                assert found == answer(n)
            else:
                assert found in (None, answer(n))
        assert (store.damaged == 0) == unchanged


def test_a_damaged_file_is_named_with_its_number_of_lost_records(tmp_path, caplog):
    fill(tmp_path, range(6))
    path = segment_paths(tmp_path)[0]
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"-0.", b"-1.", 1)
    lines[4] = b"\0" * len(lines[4])
    path.write_bytes(b"\n".join(lines))
    with caplog.at_level(logging.WARNING):
        found = known(tmp_path, range(6))
    assert [n for n in range(6) if found[n] is None] == [1, 3]
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}: 2 damaged or incomplete records; these are decided again"
    ]


def test_a_file_of_zeros_as_a_lost_node_leaves_it(tmp_path):
    fill(tmp_path, range(3))
    (tmp_path / "node-1-a.decisions").write_bytes(b"\0" * 4096)
    (tmp_path / "node-2-a.decisions").write_bytes(b"")
    assert DecisionStore(tmp_path, IDENTITY).damaged == 1
    assert known(tmp_path, range(3)) == {n: answer(n) for n in range(3)}


def test_equal_duplicates_are_one_and_contradictions_are_reported(tmp_path, caplog):
    fill(tmp_path, range(3))
    fill(tmp_path, range(3))
    store = DecisionStore(tmp_path, IDENTITY)
    assert (len(store), store.conflicts) == (3, 0)
    key = store.key(request_of(1))
    other = ScoringResult((-5.0, -6.0))
    with store:
        store.add([Entry(key, other, note(1))])
    chosen = set()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):  # in either order of the files
            paths = segment_paths(tmp_path)
            readers = [DecisionStore(tmp_path, IDENTITY) for _ in range(2)]
            assert all(reader.conflicts for reader in readers)
            chosen.update(reader.get(key) for reader in readers)
            for old, new in zip(paths, reversed(paths), strict=True):
                old.rename(tmp_path / f"{new.name}x")
            for path in list(tmp_path.iterdir()):
                path.rename(path.with_name(path.name[:-1]))
    assert len(chosen) == 1
    assert "answers differ from another file's" in caplog.text


def test_a_reader_learns_what_others_write_later(tmp_path):
    reader = DecisionStore(tmp_path, IDENTITY)
    with DecisionStore(tmp_path, IDENTITY) as writer:
        for n in range(3):
            writer.add([Entry(writer.key(request_of(n)), answer(n), note(n))])
            assert reader.get(reader.key(request_of(n))) is None
            reader.refresh()
            assert reader.get(reader.key(request_of(n))) == answer(n)
    assert reader.damaged == 0


def test_two_processes_write_at_once(tmp_path):
    processes = [_start("write", tmp_path, first, first + 300) for first in (0, 200)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    store = DecisionStore(tmp_path, IDENTITY)
    assert len(segment_paths(tmp_path)) == 2
    assert (len(store), store.damaged, store.conflicts) == (500, 0, 0)
    assert known(tmp_path, range(500)) == {n: answer(n) for n in range(500)}


def test_a_killed_writer_loses_nothing_that_it_had_kept(tmp_path):
    process = _start("write", tmp_path, 0, 10**6, stdout=subprocess.PIPE)
    kept = [int(process.stdout.readline()) for _ in range(50)][-1]
    process.kill()
    process.wait()
    found = known(tmp_path, range(kept + 1))
    assert found == {n: answer(n) for n in range(kept + 1)}


def test_foreign_files_and_other_versions_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt is not part of a decision store; move it out"):
        DecisionStore(tmp_path, IDENTITY)
    (tmp_path / "notes.txt").unlink()
    (tmp_path / ".nfs0001").write_text("left by the file system")
    fill(tmp_path, range(1))
    older = SegmentWriter(tmp_path, "jointcore decision store, version 0", {})
    older.open()
    older.close()
    with pytest.raises(InputError, match=f"{older.path.name} holds .*version 0' instead of '{KIND}'"):
        DecisionStore(tmp_path, IDENTITY)


def test_a_folder_that_cannot_be_written_is_known_before_long_work(tmp_path):
    (tmp_path / "file").write_text("")
    store = DecisionStore(tmp_path / "none", IDENTITY)
    (tmp_path / "none").write_text("now a file")
    with pytest.raises(InputError, match="cannot write decisions to .*none: .*every answer written so far is kept"):
        store.prepare()


def test_a_full_disk_is_said_and_loses_nothing(tmp_path, monkeypatch):
    fill(tmp_path, range(3))
    real = os.write

    def full_disk(descriptor, content):
        if len(content) > 10:
            return real(descriptor, content[:10])
        raise OSError(28, "No space left on device")

    with DecisionStore(tmp_path, IDENTITY) as store:
        store.prepare()
        entries = [Entry(store.key(request_of(n)), answer(n), note(n)) for n in range(3, 6)]
        monkeypatch.setattr(segments.os, "write", full_disk)
        with pytest.raises(InputError, match="the disk is full or over quota; free some space, then run the same"):
            store.add(entries)
        monkeypatch.undo()
        assert [store.get(entry.key) for entry in entries] == [None] * 3
        store.add(entries)  # after the torn record
    found = DecisionStore(tmp_path, IDENTITY)
    assert (len(found), found.damaged) == (6, 1)


def test_a_file_size_limit_of_the_system_is_said(tmp_path):
    process = _start("limited", tmp_path, 0, 10**6, stderr=subprocess.PIPE)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert error.startswith("Error: cannot write decisions to ")
    assert len(DecisionStore(tmp_path, IDENTITY)) > 10


def test_a_segment_is_read_in_parts(tmp_path):
    fill(tmp_path, range(4))
    path = segment_paths(tmp_path)[0]
    whole = read_segment(path, KIND)
    content = path.read_bytes()
    middle = content.index(b"\n", content.index(b"\n") + 1) + 1
    assert len(read_segment(path, KIND, middle).records) == 3
    assert whole.position == len(content)


def _start(mode, folder, first, last, **pipes):
    command = [sys.executable, store_process.__file__, mode, str(folder), str(first), str(last)]
    paths = os.pathsep.join([str(PROJECT / "src"), str(PROJECT / "tests")])
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, text=True, **pipes)
