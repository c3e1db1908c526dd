"""Write the table of what ran where."""

from pathlib import Path

from jointcore.files import read_json
from jointcore.logs import job_log
from jointcore.report.outputs import write_table
from jointcore.report.run_tables import runtime_table
from jointcore.statistics.cohort import Cohort

with job_log(snakemake.log[0]):
    cohort = Cohort.read(snakemake.input.cohort)
    records = {Path(path).parent.name: read_json(path) for path in snakemake.input.runtime}
    write_table(runtime_table(records, cohort), snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
