"""Select the robustness or the development subset of the model grid."""

from jointcore.logs import job_log
from jointcore.tasks.storage import read_tasks, write_tasks
from jointcore.tasks.subsets import SUBSETS

with job_log(snakemake.log[0]):
    subset = SUBSETS[snakemake.wildcards.grid]
    write_tasks(snakemake.output.tasks, subset(list(read_tasks(snakemake.input.tasks)), snakemake.params.size))
