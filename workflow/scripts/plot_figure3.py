"""Draw differences by family."""

from jointcore.csv_files import write_csv
from jointcore.figures.model_figure3 import draw_figure3, figure3_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    data = figure3_data(statistics["pool"])
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_figure3(data, cohort),
        [snakemake.output.svg, snakemake.output.pdf],
        "Figure 3: families",
        "Differences of recovery and savings, and queries, by interaction family; the data is beside it as CSV.",
    )
