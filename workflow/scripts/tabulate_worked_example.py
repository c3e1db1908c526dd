"""Write Table 4, the worked example through every method."""

from jointcore.files import read_json
from jointcore.logs import job_log
from jointcore.report.exact_tables import table4
from jointcore.report.outputs import write_table

with job_log(snakemake.log[0]):
    write_table(
        table4(read_json(snakemake.input.example)), snakemake.output.csv, snakemake.output.tex, snakemake.output.html
    )
