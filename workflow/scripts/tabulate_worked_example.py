"""Write Table 4, the worked example through every method."""

import json

from jointcore.logs import job_log
from jointcore.report.exact_tables import table4
from jointcore.report.outputs import write_table

with job_log(snakemake.log[0]), open(snakemake.input.example, encoding="utf-8") as file:
    write_table(table4(json.load(file)), snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
