"""Compute all statistics of a cohort."""

from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.cohort_statistics import cohort_statistics, write_statistics
from jointcore.statistics.model_frames import read_primary, read_robustness

with job_log(snakemake.log[0]):
    cohort = Cohort.of(snakemake.wildcards.cohort, snakemake.params.models, snakemake.params.methods)
    primary, robustness = read_primary(snakemake.input.primary), read_robustness(snakemake.input.robustness)
    write_statistics(cohort_statistics(primary, robustness, cohort), snakemake.output.statistics)
    cohort.write(snakemake.output.cohort)
    made_with = {"models": cohort.names, "methods": list(cohort.methods)}
    write_json(snakemake.output.settings, {**snakemake.params.settings, **made_with})
