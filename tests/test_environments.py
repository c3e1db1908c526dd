"""Environments hold what their rules import, in the versions of the locks, and the container takes those locks."""

import ast
import json
import os
import re
import sys
from pathlib import Path

import pytest
import yaml

from jointcore.selection.catalogue import choose_methods, module_name
from jointcore.sources import source_files
from paths import PROJECT
from workflow.checkout import Checkout

ENVS = PROJECT / "envs"
LOCKS = {"exact": "run", "model": "cluster", "model-study": "study"}
#: What is called otherwise by conda, by pip, or in an import.
CONDA_TO_PIP = {"pytorch": "torch", "matplotlib-base": "matplotlib"}
IMPORT_TO_PIP = {"yaml": "pyyaml", "sklearn": "scikit-learn"}
#: What Transformers imports by itself when a checkpoint asks for it.
BEHIND_TRANSFORMERS = {"accelerate", "gguf"}


def lock(name):
    """Version by package of a lock."""
    lines = (PROJECT / "requirements" / f"{name}.txt").read_text().split()
    return {package.lower().replace("_", "-"): version for package, version in (line.split("==") for line in lines)}


def pinned(name):
    """Version by package, as pip calls it, of an environment; a pip version is whole, one of conda a prefix."""
    found = {}
    for item in yaml.safe_load((ENVS / f"{name}.yaml").read_text())["dependencies"]:
        if isinstance(item, dict):
            found |= dict(line.split("==") for line in item["pip"])
        elif " =" in item:
            package, version = item.split(" =")
            found[CONDA_TO_PIP.get(package, package)] = version
    return {package.lower().replace("_", "-"): version for package, version in found.items()}


def rules():
    """Environment and script of every rule that has a script."""
    for path in sorted((PROJECT / "workflow" / "rules").glob("*.smk")):
        for rule in re.split(r"^(?=rule )", path.read_text(), flags=re.MULTILINE):
            script = re.search(r'"\.\./scripts/(\w+\.py)"', rule)
            if script:
                name = rule.partition(":")[0].removeprefix("rule ")
                conda = re.search(r"conda:\n +(.*)\n", rule)
                yield pytest.param(conda and conda.group(1), script.group(1), id=name)


@pytest.mark.parametrize(("conda", "script"), list(rules()))
def test_an_environment_holds_what_its_rule_imports(conda, script):
    names = ["model", "model-study"] if conda == "MODEL_ENVIRONMENT" else ["exact"]
    assert conda in ("MODEL_ENVIRONMENT", '"../../envs/exact.yaml"')
    methods = [module_name(method.slug) for method in choose_methods("all")]
    imported = set()
    for path in source_files(PROJECT / "workflow" / "scripts" / script, methods):
        imported |= {"jinja2"} if Path(path).suffix == ".j2" else third_party(Path(path))
    needed = {IMPORT_TO_PIP.get(name, name).replace("_", "-") for name in imported}
    if "transformers" in needed:
        needed |= BEHIND_TRANSFORMERS
    for name in names:
        assert needed <= pinned(name).keys(), name


def third_party(path):
    """Packages that a module imports, without Python's own and this one."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())) if path.suffix == ".py" else ():
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"jointcore"}


@pytest.mark.parametrize("name", LOCKS)
def test_an_environment_has_the_versions_of_its_lock(name):
    locked = lock(LOCKS[name])
    for package, version in pinned(name).items():
        if package != "python":
            assert f"{locked[package]}.".startswith(f"{version}."), package


def test_every_environment_is_chosen_somewhere():
    assert {path.stem for path in ENVS.glob("*.yaml")} == LOCKS.keys()
    schema = yaml.safe_load((PROJECT / "workflow" / "schemas" / "config.schema.yaml").read_text())
    choices = schema["properties"]["model_stage"]["properties"]["environment"]["enum"]
    assert choices == ["model", "model-study"]


# Answers the questions about itself that Snakemake asks before a dry run.
CONDA = """#!/bin/sh
case "$*" in
*--version*) echo "conda 25.7.0" ;;
*info*) echo '{info}' ;;
*config*) echo '{{"get": {{"channel_priority": "strict"}}}}' ;;
esac
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "expected"),
    [("{}", {"exact", "model"}), ("model_stage: {environment: model-study}", {"exact", "model-study"})],
)
def test_the_configuration_chooses_the_environment(tmp_path, monkeypatch, change, expected):
    checkout = Checkout.create(tmp_path / "project")
    (checkout.folder / "my.yaml").write_text(change)
    conda = tmp_path / "bin" / "conda"
    conda.parent.mkdir()
    info = dict.fromkeys(("root_prefix", "conda_prefix", "default_prefix"), str(tmp_path))
    conda.write_text(CONDA.format(info=json.dumps({"conda_version": "25.7.0", "platform": "linux-64", **info})))
    conda.chmod(0o755)
    monkeypatch.setenv("PATH", f"{conda.parent}:{os.environ['PATH']}")
    done = checkout.run(
        "results/model/qwen25_14b/primary.parquet", "--configfile", "my.yaml", "--dry-run",
        "--software-deployment-method", "conda",
    )  # fmt: skip
    printed = done.stdout + done.stderr
    assert set(re.findall(r"Conda environment envs/(\S+)\.yaml will be created", printed)) == expected


def test_locks_agree_with_each_other_and_hold_what_the_project_asks_for():
    run, cluster, test, study = map(lock, ("run", "cluster", "test", "study"))
    assert run.items() <= cluster.items() <= test.items()
    assert run.items() <= study.items()
    assert study["torch"] == "2.6.0"
    assert study["transformers"].startswith("5.15.")
    for name in ("snakemake-executor-plugin-slurm", "snakemake-executor-plugin-slurm-jobstep"):
        assert study[name] == cluster[name]
        assert name not in run


def test_the_container_installs_from_the_locks():
    lines = (PROJECT / "containers" / "Containerfile").read_text().splitlines()
    assert "ARG LOCK=cluster" in lines
    assert "COPY requirements /opt/requirements" in lines
    assert "RUN pip install --no-cache-dir -r /opt/requirements/${LOCK}.txt" in lines
    base = next(line for line in lines if line.startswith("FROM "))
    versions = {yaml.safe_load(path.read_text())["dependencies"][0] for path in ENVS.glob("*.yaml")}
    assert versions == {f"python ={re.search(r'python:([0-9.]+)', base).group(1)}"}
    # Nothing else is installed, so no version escapes the locks.
    assert sum("pip install" in line for line in lines) == 1
