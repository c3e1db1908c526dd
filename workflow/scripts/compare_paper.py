"""Lay every figure that the paper prints beside this run's."""

from jointcore.csv_files import write_csv
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.report.model_comparison import compare_paper
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    names = ("record", "paper", "settings", "metrics", "example")
    documents = {name: read_json(snakemake.input[name]) for name in names}
    cohort, statistics = read_cohort(snakemake.input.statistics)
    settings = snakemake.params.settings
    frame, page = compare_paper(**documents, run_settings=settings, cohort=cohort, statistics=statistics)
    write_csv(snakemake.output.csv, frame, seal=True)
    write_text(snakemake.output.html, page)
