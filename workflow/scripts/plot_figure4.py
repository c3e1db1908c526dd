"""Draw trajectory success by robustness cell."""

from jointcore.csv_files import write_csv
from jointcore.figures.model_figure4 import draw_figure4, figure4_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    data = figure4_data(statistics["robustness"], cohort)
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_figure4(data, cohort),
        [snakemake.output.svg, snakemake.output.pdf],
        "Figure 4: robustness",
        "Trajectory success of both methods in every cell; the data is beside it as CSV.",
    )
