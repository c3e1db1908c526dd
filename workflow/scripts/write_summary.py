"""Write the front page of a cohort: what was run, what was not, and what to conclude."""

import json
from pathlib import Path

from jointcore.csv_files import read_csv
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.report.front_page import front_page
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    page = front_page(
        cohort=cohort,
        statistics=statistics,
        runtime={Path(path).parent.name: json.loads(Path(path).read_text()) for path in snakemake.input.runtime},
        exact=json.loads(Path(snakemake.input.metrics).read_text(encoding="utf-8")),
        comparison=read_csv(snakemake.input.comparison, ["place", "verdict"]),
        **{name: snakemake.params[name] for name in ("registry", "benchmark", "transfer")},
    )
    write_text(snakemake.output.html, page)
