"""Lay every published figure of the exact stage beside this run's."""

from jointcore.csv_files import write_csv
from jointcore.files import read_json, write_json, write_text
from jointcore.logs import job_log
from jointcore.report.exact_comparison import compare_exact_stage

with job_log(snakemake.log[0]):
    names = ("record", "paper", "settings", "metrics", "example")
    documents = {name: read_json(snakemake.input[name]) for name in names}
    comparison = compare_exact_stage(**documents, run_settings=snakemake.params.settings)
    write_csv(snakemake.output.csv, comparison.frame, seal=True)
    write_json(snakemake.output.digest, comparison.digests)
    write_text(snakemake.output.html, comparison.page)
