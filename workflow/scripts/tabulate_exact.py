"""Write a table of the exact stage."""

import json

from jointcore.logs import job_log
from jointcore.report.exact_tables import EXACT_TABLES
from jointcore.report.outputs import write_table

with job_log(snakemake.log[0]), open(snakemake.input.metrics, encoding="utf-8") as file:
    table = EXACT_TABLES[snakemake.wildcards.table](json.load(file))
    write_table(table, snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
