"""Write the tables of a cohort's model stage."""

from jointcore.logs import job_log
from jointcore.report.model_tables import MODEL_TABLES
from jointcore.report.outputs import write_table
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    for name, tabulate in MODEL_TABLES.items():
        files = (snakemake.output[f"{name}_{form}"] for form in ("csv", "tex", "html"))
        write_table(tabulate(statistics, cohort), *files)
