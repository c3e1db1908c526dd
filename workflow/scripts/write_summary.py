"""Write the front page of a cohort: what was run, what was not, and what to conclude."""

from pathlib import Path

from jointcore.csv_files import read_csv
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.report.front_page import front_page
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    page = front_page(
        cohort=cohort,
        statistics=statistics,
        runtime={Path(path).parent.name: read_json(path) for path in snakemake.input.runtime},
        exact=read_json(snakemake.input.metrics),
        comparison=read_csv(snakemake.input.comparison, ["place", "verdict"]),
        **{name: snakemake.params[name] for name in ("registry", "benchmark", "transfer")},
    )
    write_text(snakemake.output.html, page)
