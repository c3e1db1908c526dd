"""What is found at the start, what a run prints, and where its paths lie: on dry runs where that suffices."""

import json
import os
import re

import pytest
import yaml

from workflow.checkout import SMOKE, Checkout

pytestmark = pytest.mark.slow

GIVEN = {
    "name": "Mine",
    "role": "local",
    "path": "checkpoints/mine",
    "digest_manifest": "checkpoint.json",
    "licence": "MIT",
    "precision": "float32",
    "loader": "causal_lm",
    "prompt_template": "config/prompts/terse.yaml",
    "gpus": 0,
    "mem_mb": 1000,
    "runtime_minutes": 10,
    "shards": 1,
}
OWN = "model_stage={models_file: own.yaml, cohorts: {local: [mine]}, transfer: []}"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A checkout in which nothing was run, with a models file of its own and a broken configuration."""
    checkout = Checkout.create(tmp_path_factory.mktemp("bare") / "project")
    (checkout.folder / "own.yaml").write_text(yaml.safe_dump({"models": {"mine": GIVEN}}))
    (checkout.folder / "broken.yaml").write_text("selection:\n  budget: 3\n bad\n")
    return checkout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--configfile", "none.yaml"), "configuration file none.yaml cannot be read (No such file or directory)"),
        (("--configfile=broken.yaml",), "configuration file broken.yaml is not valid YAML (line 3: "),
        (("--config", "selection={budget: many}"), "config key selection/budget: 'many' is not of type integer"),
        (("--config", "selection={budgt: 3}"), "config key selection/budgt is unknown; did you mean budget?\n"),
        (
            ("--config", "methods={model: [full_memory]}"),
            "methods/model lacks conditional_singleton_cost and jointcore",
        ),
        (("--config", OWN, "--", "local_study"), "model mine in own.yaml: path checkpoints/mine is not a folder; put"),
        (("--config", OWN, "--", "model_study"), "cohorts/registered names no model of own.yaml; name one"),
    ],
)
def test_a_mistake_is_found_by_a_dry_run(bare, arguments, sentence):
    done = bare.run("--dry-run", *arguments, check=False)
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr


def test_without_torch_a_model_s_stage_says_so(bare, tmp_path):
    """A module of that name which cannot be found, as on a machine without it."""
    hide = (
        "import importlib.util as u\nf = u.find_spec\nu.find_spec = lambda n, *a: None if n == 'torch' else f(n, *a)\n"
    )
    (tmp_path / "sitecustomize.py").write_text(hide)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(tmp_path)
    try:
        done = bare.run("--dry-run", "local_study", check=False)
        exact = bare.run("--dry-run")
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
    assert done.returncode != 0
    assert "This Python has no torch, which the model stage needs; install" in done.stdout + done.stderr
    assert "ModuleNotFoundError" not in done.stdout + done.stderr
    assert exact.returncode == 0


@pytest.mark.parametrize("kind", ["dangling", "occupied"])
def test_what_stands_where_results_belong_is_named(bare, tmp_path, kind):
    place = tmp_path / "results"
    place.symlink_to("/nowhere") if kind == "dangling" else place.write_text("")
    done = bare.run("--dry-run", "--directory", str(tmp_path), check=False)
    sentence = "results is a link to /nowhere, which" if kind == "dangling" else "results is not a folder; move it away"
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr


def test_values_of_the_command_line_and_an_empty_folder_take_the_defaults(bare, tmp_path):
    done = bare.run("--dry-run", "--directory", str(tmp_path), "--config", "selection={budget: 3}", "deadline_hours=1")
    assert "generate_grid" in done.stdout


def test_an_own_models_file_needs_no_registered_models(bare):
    assert "evaluate_exact" in bare.run("--dry-run", "--config", OWN).stdout


def test_another_grid_takes_an_example_of_its_own_and_says_so(bare):
    done = bare.run("--dry-run", "--config", "benchmark={families: [threshold], exact: {candidate_counts: [32]}}")
    assert "it follows this one: domain orders, family threshold, candidate_count 32" in done.stdout + done.stderr


def test_a_module_s_prefix_belongs_to_results_only(tmp_path):
    """The clone lies below the working directory, as it does where it is a part of another project."""
    clone = Checkout.create(tmp_path / "sub" / "clone")
    (tmp_path / "Snakefile").write_text(
        """
module memory:
    snakefile: "sub/clone/Snakefile"
    config: {"stages": ["exact", "local"]}
    prefix: "mem"

use rule * from memory as memory_*

rule everything:
    input: rules.memory_all.input
    default_target: True
"""
    )
    printed = Checkout(tmp_path).run("--dry-run").stdout
    paths = re.findall(r"^ +(?:input|output|log): (.*)$", printed, re.MULTILINE)
    places = {path for line in paths for path in line.split(", ") if not path.startswith(("mem/results/", "mem/logs/"))}
    assert f"{clone.folder}/config/prompts/terse.yaml" in places
    assert f"{clone.folder}/resources/published/paper.json" in places
    assert all(path.startswith(str(clone.folder)) for path in places), places


def test_a_first_run_prints_short_lines_and_what_comes_next(tmp_path):
    checkout = Checkout.create(tmp_path / "project")
    done = checkout.run(*SMOKE, "--config", "methods={exact: [full_memory, jointcore_cost_ordered]}")
    lines = done.stderr.splitlines()
    assert len(lines) <= 150
    # A path of the machine may be long.
    assert max(len(line.replace(str(checkout.folder), "")) for line in lines if "Command:" not in line) <= 130
    assert any(re.fullmatch(r"\[[\d:]+\] starts: evaluate_exact full_memory", line) for line in lines)
    assert any(re.search(r"\d+ of \d+ steps \(100%\) done: all", line) for line in lines)
    assert "Exact stage: 72 conditions, 2 methods. Another grid or B than published" in done.stderr
    assert "Next: snakemake --report report.html" in done.stderr


def test_the_report_tells_what_the_results_were_made_with(edited):
    """It is written under the published configuration here, which is not that of the results."""
    edited.run("--report", "report.html")
    page = (edited.folder / "report.html").read_text()
    settings = json.loads((edited.folder / "results/exact/settings.json").read_text())
    assert settings["conditions"] == 72
    assert settings == json.loads((edited.folder / "results/exact/metrics.json").read_text())["settings"]
    assert "72 conditions: 2 domains and" in page
    assert "6 domains" not in page
    assert page.count("was not run, and nothing about its models is reproduced") == 2
