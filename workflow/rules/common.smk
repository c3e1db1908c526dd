# Configuration, the methods of this run, and which source files a rule depends on.

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(str(workflow.current_basedir)).parents[1]
# Every job imports the library from this checkout; a digest of what it can reach is a parameter of its rule.
sys.path.insert(0, str(ROOT / "src"))
os.environ.update(PYTHONPATH=os.pathsep.join([str(ROOT / "src"), *filter(None, [os.getenv("PYTHONPATH")])]))

from jointcore.configuration import check_configuration
from jointcore.documents import merged, read_yaml
from jointcore.errors import InputError
from jointcore.selection.catalogue import choose_methods, load_method, module_name
from jointcore.selection.method import TRUTH
from jointcore.sources import code_digest
from jointcore.tasks.families import FAMILIES

try:
    # Keys that a configuration leaves out take the published value.
    config = merged(read_yaml(ROOT / "config" / "config.yaml"), config)
    check_configuration(config, read_yaml(ROOT / "workflow" / "schemas" / "config.schema.yaml"))
    EXACT_METHODS = [method.slug for method in choose_methods(config["methods"]["exact"])]
except InputError as error:
    raise WorkflowError(f"{error}.") from None


def check_writable(*folders):
    """Name a folder that cannot be written before any job runs."""
    for folder in map(Path, folders):
        if folder.exists() and not os.access(folder, os.W_OK):
            raise WorkflowError(
                f"The folder {folder} is read-only; make it writable, then run the same command again."
            )


def project_file(path):
    """A file of this project, relative to the working directory where it lies below it."""
    path = Path(path) if Path(path).is_absolute() else ROOT / path
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


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
    cell = config["worked_example"]
    return {
        "result": result,
        "family": FAMILIES[cell["family"]].name,
        "n": str(cell["candidate_count"]),
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
    ]
