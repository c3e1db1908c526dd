"""Generate the tasks of a grid."""

from jointcore.logs import job_log
from jointcore.progress import progress
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid
from jointcore.tasks.storage import write_tasks

with job_log(snakemake.log[0]):
    grid = Grid.from_settings(snakemake.params, snakemake.params.stage, nesting=snakemake.wildcards.grid)
    write_tasks(snakemake.output.tasks, progress(generate_tasks(grid), len(grid), "tasks"))
