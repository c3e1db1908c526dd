"""Run one method through the scenarios of a stress experiment on the exact grid."""

from jointcore.evaluation.stress.scenarios import SCENARIOS
from jointcore.evaluation.stress.storage import write_rows
from jointcore.evaluation.stress.sweep import sweep
from jointcore.logs import job_log
from jointcore.progress import progress
from jointcore.selection.catalogue import load_method
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    wildcards, params = snakemake.wildcards, snakemake.params
    tasks = list(read_tasks(snakemake.input.tasks))[:: params.stride]
    scenarios = SCENARIOS[wildcards.experiment](**params.scenarios)
    seen = progress(tasks, len(tasks), f"{wildcards.method}, {len(scenarios)} scenarios")
    write_rows(snakemake.output.rows, sweep(load_method(wildcards.method), seen, scenarios, params.settings))
