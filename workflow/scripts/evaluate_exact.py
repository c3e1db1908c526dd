"""Evaluate one method on every condition of the exact grid."""

from jointcore.evaluation.exact import evaluate_tasks
from jointcore.evaluation.exact_storage import write_outcomes
from jointcore.logs import job_log
from jointcore.progress import progress
from jointcore.selection.catalogue import load_method
from jointcore.tasks.storage import count_tasks, read_tasks

with job_log(snakemake.log[0]):
    tasks = progress(read_tasks(snakemake.input.tasks), count_tasks(snakemake.input.tasks), snakemake.wildcards.method)
    outcomes = evaluate_tasks(load_method(snakemake.wildcards.method), tasks, snakemake.params.settings)
    write_outcomes(snakemake.output.outcomes, snakemake.output.traces, outcomes)
