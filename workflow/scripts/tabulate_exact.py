"""Write a table of the exact stage."""

from jointcore.files import read_json
from jointcore.logs import job_log
from jointcore.report.exact_tables import EXACT_TABLES
from jointcore.report.outputs import write_table

with job_log(snakemake.log[0]):
    table = EXACT_TABLES[snakemake.wildcards.table](read_json(snakemake.input.metrics))
    write_table(table, snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
