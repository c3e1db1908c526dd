"""Draw trajectory success by robustness cell."""

from jointcore.figures.model_figure4 import draw_figure4, figure4_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    data = figure4_data(statistics["robustness"], cohort)
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    save_figure(draw_figure4(data, cohort), [snakemake.output.svg, snakemake.output.pdf])
