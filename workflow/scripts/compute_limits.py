"""Compute how few evaluations each condition can need."""

from jointcore.evaluation.stress.limits import limits_of
from jointcore.evaluation.stress.storage import write_limits
from jointcore.logs import job_log
from jointcore.progress import progress
from jointcore.tasks.grid import Grid
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    params = snakemake.params
    grid = Grid.from_settings(params, params.stage, nesting="exact")
    tasks = list(read_tasks(snakemake.input.tasks))[:: params.stride]
    write_limits(
        snakemake.output.limits, limits_of(progress(tasks, len(tasks), "limits"), grid, params.empty_set_fails)
    )
