"""The examples run as they are written, and the command as its help says."""

import json
import os
import runpy
import signal
import subprocess
import sys

import pytest

from jointcore.cli import main
from judges.served_model import save_both
from judges.servers import free_port, llama_server
from paths import PROJECT

EXAMPLES = PROJECT / "examples"


def run(name, *arguments, folder=None):
    """Run an example as a user does."""
    there = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=there)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A tiny checkpoint that reads any text: Transformers' folder and llama.cpp's file."""
    return save_both(tmp_path_factory.mktemp("served"))


def test_a_plain_function():
    said = run("plain_function.py")
    assert said.startswith("DEPLOY rests on ['m3', 'm5']: ")
    assert "the decision is WAIT" in said
    assert "it would be WAIT" in said


def test_an_agent_loop():
    said = run("agent_loop.py")
    assert "'book Fjord' rests on ['k3']" in said
    assert "without ['k4'] the agent would 'book Nord'" in said


def test_an_endpoint_and_the_command_at_one(served, tmp_path, capsys):
    with llama_server(served[1]) as address:
        said = run("endpoint.py", address, "tiny", folder=tmp_path)
        assert " rests on " in said
        assert "What the decision rests on" not in said
        assert (tmp_path / "deploy.html").stat().st_size > 10_000
        assert ": 0 calls" in run("endpoint.py", address, "tiny", folder=tmp_path)
        command = ["select", str(EXAMPLES / "data" / "deploy.jsonl"), "--query", "Deploy?", "--answers", "YES", "NO"]
        status = main([*command, "--endpoint", address, "--served-model", "tiny"])
        assert status == 0
        assert "memories kept" in capsys.readouterr().out


def command(served, *arguments):
    """The command on the example's memories with the tiny checkpoint."""
    query = ["--query", "May we deploy?", "--answers", "YES", "NO"]
    return main(["select", str(EXAMPLES / "data" / "deploy.jsonl"), *query, "--model", str(served[0]), *arguments])


def test_the_command_prints_what_is_kept_and_writes_files(served, tmp_path, capsys):
    page, content = tmp_path / "r.html", tmp_path / "r.json"
    assert command(served, "--html", str(page), "--json", str(content), "--store", str(tmp_path / "s")) == 0
    said = capsys.readouterr().out
    result = json.loads(content.read_text())
    assert said.startswith(f"decision {result['decision']}: {len(result['kept'])} of 6 memories kept")
    assert f"{result['calls']} calls; " in said
    assert all(name in said for name in result["kept"])
    assert result["cost_unit"] == "tokens"
    assert page.read_text().startswith("<!")
    assert command(served, "--store", str(tmp_path / "s")) == 0
    assert "0 calls; " in capsys.readouterr().out


def test_a_dry_run_shows_the_prompt_and_the_bound_and_asks_nothing(served, capsys):
    assert command(served, "--dry-run") == 0
    said = capsys.readouterr().out
    assert "- Bob approved the deploy at noon." in said
    assert "Allowed answers: YES, NO" in said
    assert "at most 13 calls" in said
    assert command(served, "--dry-run", "--cap", "4", "--method", "ddmin") == 0
    assert "at most 4 calls" in capsys.readouterr().out


def test_a_partial_result_has_its_own_exit_status(served, capsys):
    assert command(served, "--cap", "2") == 3
    said = capsys.readouterr().out
    assert "not complete: " in said
    assert "2 calls; " in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--model", "nowhere"], "neither a folder nor a Hugging Face repository"),
        (["--endpoint", "http://127.0.0.1:1/v1"], "give --served-model"),
        (["--model", "x/y", "--served-model", "z"], "belong to an endpoint"),
        (["--endpoint", "http://127.0.0.1:1/v1", "--served-model", "z", "--gpus", "1"], "belong to a model on this"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, expected, capsys):
    path = str(EXAMPLES / "data" / "deploy.jsonl")
    assert main(["select", path, "--query", "Deploy?", "--answers", "YES", "NO", *arguments]) == 1
    error = capsys.readouterr().err
    assert expected in error
    assert error.startswith("Error: ")
    assert error.count("\n") == 1


def test_bad_memories_and_answers_are_said_before_a_model_is_loaded(served, tmp_path, capsys):
    (tmp_path / "m.jsonl").write_text('{"text": "a"}\n{"text": \n')
    base = ["--query", "Deploy?", "--relevance", "bm25", "--model", str(served[0])]
    assert main(["select", str(tmp_path / "m.jsonl"), *base, "--answers", "YES", "NO"]) == 1
    assert "m.jsonl line 2 is not valid JSON" in capsys.readouterr().err
    assert main(["select", str(EXAMPLES / "data" / "deploy.jsonl"), *base, "--answers", "YES", "YES or no"]) == 1
    assert "begins the answer" in capsys.readouterr().err
    (tmp_path / "l.jsonl").write_text(json.dumps({"text": "word " * 3000}) + "\n")
    assert main(["select", str(tmp_path / "l.jsonl"), *base, "--answers", "YES", "NO"]) == 1
    assert "tokens, more than the model's 2048" in capsys.readouterr().err


def test_an_endpoint_that_does_not_exist_is_said():
    address = f"http://127.0.0.1:{free_port()}/v1"
    import jointcore

    judge = jointcore.endpoint(address, "tiny", ("YES", "NO"))
    result = jointcore.select(["a", "b"], judge, "Deploy?", answers=["YES", "NO"])
    assert not result.complete
    assert "cannot be reached" in result.reason


@pytest.fixture
def listening():
    """Python's own handler of Ctrl-C: a shell starts what it runs in the background with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_the_command_with_what_is_known(listening):
    """The signal of Ctrl-C arrives while a judge is asked."""

    def judge(retained):
        if len(retained) < 3:
            signal.raise_signal(signal.SIGINT)
        return any("c" in text for text in retained)

    import jointcore

    result = jointcore.select(["a", "b", "c", "d"], judge, method="jointcore_cost_ordered")
    assert result.reason == "the run was interrupted"
    assert result.trace


def test_every_example_is_run_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {"plain_function.py", "endpoint.py", "agent_loop.py"}
    assert runpy.run_path(str(EXAMPLES / "agent_loop.py"))["GRAPH"]
