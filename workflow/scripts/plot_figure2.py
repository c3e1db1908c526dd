"""Draw queries and minimum-cost recovery per model; of the registered cohort, the published ones beside them."""

import json
from pathlib import Path

from jointcore.figures.model_figure2 import draw_figure2, figure2_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    paper = json.loads(Path(snakemake.input.paper[0]).read_text(encoding="utf-8")) if snakemake.input.paper else None
    data = figure2_data(statistics["summary"], cohort, paper)
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    save_figure(draw_figure2(data, cohort), [snakemake.output.svg, snakemake.output.pdf])
