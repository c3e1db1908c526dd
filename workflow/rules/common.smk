# Configuration, the methods of this run, and which code a rule depends on.

import importlib.util
import logging
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

ROOT = Path(str(workflow.current_basedir)).parents[1]
# Every job imports the library from this checkout; a digest of what it can reach is a parameter of its rule.
sys.path.insert(0, str(ROOT / "src"))
os.environ.update(PYTHONPATH=os.pathsep.join([str(ROOT / "src"), *filter(None, [os.getenv("PYTHONPATH")])]))

from jointcore.configuration import check_configuration, example_cell
from jointcore.documents import merged, read_yaml, retyped
from jointcore.errors import InputError, sentence
from jointcore.files import read_json
from jointcore.selection.catalogue import choose_methods, load_method, module_name
from jointcore.selection.method import TRUTH
from jointcore.sources import code_digest
from jointcore.tasks.families import FAMILIES

# Whether another workflow uses this one as a module, perhaps with a prefix before every relative path of a rule.
MODULE = not workflow.modifier.is_main_snakefile()
PREFIX = getattr(workflow.modifier.path_modifier, "prefix", None) or ""

try:
    # Keys that a configuration leaves out take the published value; `--config` gives every value as a text.
    DEFAULTS = read_yaml(ROOT / "config" / "config.yaml")
    config = merged(DEFAULTS, merged(config, {} if MODULE else retyped(workflow.config_settings.config)))
    check_configuration(config, read_yaml(ROOT / "workflow" / "schemas" / "config.schema.yaml"))
    EXACT_METHODS = [method.slug for method in choose_methods(config["methods"]["exact"])]
except InputError as error:
    raise WorkflowError(sentence(error)) from None

EXAMPLE = example_cell(config)._asdict()
if EXAMPLE != config["worked_example"]:
    logger.info(
        "The grid lacks the published condition of the worked example; it follows this one: "
        + ", ".join(f"{key} {value}" for key, value in EXAMPLE.items())
    )


def check_folders(*folders):
    """Name what stands where a folder of results should be."""
    for folder in map(Path, folders):
        if folder.is_symlink() and not folder.exists():
            raise WorkflowError(
                f"{folder} is a link to {os.readlink(folder)}, which does not exist; make that folder or remove the link."
            )
        if folder.exists() and not folder.is_dir():
            raise WorkflowError(
                f"{folder} is not a folder; move it away, since the run writes into a folder there."
            )


def check_writable(*folders):
    """Name a folder that cannot be written before any job runs."""
    for folder in map(Path, folders):
        if folder.exists() and not os.access(folder, os.W_OK):
            raise WorkflowError(
                f"The folder {folder} is read-only; make it writable, then run the same command again."
            )


def project_file(path):
    """A file of this project: relative to the working directory where it lies below it, so that a moved checkout
    reruns nothing; absolute in a module, whose prefix belongs to results only."""
    path = (Path(path) if Path(path).is_absolute() else ROOT / path).resolve()
    inside = path.is_relative_to(Path.cwd()) and not MODULE
    return os.path.relpath(path) if inside else str(path)


def need_torch():
    """Say that a model cannot run here, where its job would only fail."""
    made = [method.name for method in workflow.deployment_settings.deployment_method]
    if not made and importlib.util.find_spec("torch") is None:
        raise WorkflowError(
            "This Python has no torch, which the model stage needs; install requirements/study.txt, "
            "or add --software-deployment-method conda."
        )


def code(script, *modules):
    """A digest of the library files that a script of workflow/scripts and further modules can reach."""
    return code_digest(ROOT / "workflow" / "scripts" / script, modules)


def method_code(script):
    """A params function: what a script can reach, and the method that its wildcard names."""
    return lambda wildcards: code(script, module_name(wildcards.method))


def method_settings(stage):
    """A params function: exactly the settings that the method of the wildcard uses."""

    def settings(wildcards):
        offered = {**config["selection"], "cap": config["selection"][f"{stage}_cap"]}
        return {name: offered[name] for name in load_method(wildcards.method).uses if name != TRUTH}

    return settings


def stage_settings(stage):
    """The settings of a stage that decide whether the published figures apply to it."""
    shared = config["benchmark"]
    if stage == "robustness":
        return {"every": shared["subsets"]["robustness"]}
    return {
        "benchmark": {
            **{key: shared[key] for key in ("domains", "families", "costs")},
            "grid": shared[stage],
        },
        "budget": config["selection"]["budget"],
        "cap": config["selection"][f"{stage}_cap"],
    }


def example_labels(result):
    """Labels of a result of the worked example in the report.

    The method is in the first label: a later one that takes two values, each in half of the results, is a switch
    between the two in Snakemake's report, which then fails unless all other labels agree.
    """
    return {
        "result": result,
        "family": FAMILIES[EXAMPLE["family"]].name,
        "n": str(EXAMPLE["candidate_count"]),
    }


def exact_stage_files():
    """What the exact stage delivers."""
    return [
        *expand("results/benchmark/{grid}.parquet", grid=["exact", "model", "robustness", "development"]),
        *expand("results/exact/{method}.parquet", method=EXACT_METHODS),
        *expand(
            "results/tables/{table}.{format}",
            table=["table1", "table1_by_n", "table1_by_family", "table4"],
            format=["csv", "tex", "html"],
        ),
        *expand(
            "results/figures/{figure}.{format}",
            figure=["figure1_worked_example", "evaluations_by_n"],
            format=["svg", "pdf", "csv"],
        ),
        *expand("results/comparison/exact.{format}", format=["csv", "html"]),
        "results/comparison/exact_digest.json",
        "results/report/index.html",
        "results/report/cases.html",
    ]
