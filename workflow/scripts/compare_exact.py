"""Lay every published figure of the exact stage beside this run's."""

import json
from pathlib import Path

from jointcore.csv_files import write_csv
from jointcore.files import write_json, write_text
from jointcore.logs import job_log
from jointcore.report.exact_comparison import compare_exact_stage

with job_log(snakemake.log[0]):
    names = ("record", "paper", "settings", "metrics", "example")
    documents = {name: json.loads(Path(snakemake.input[name]).read_text(encoding="utf-8")) for name in names}
    comparison = compare_exact_stage(**documents, run_settings=snakemake.params.settings)
    write_csv(snakemake.output.csv, comparison.frame, seal=True)
    write_json(snakemake.output.digest, comparison.digests)
    write_text(snakemake.output.html, comparison.page)
