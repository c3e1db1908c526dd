"""Draw the queries that JointCore saves by family."""

from jointcore.csv_files import write_csv
from jointcore.figures.model_queries_saved import draw_queries_saved, queries_saved_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    data = queries_saved_data(statistics["by_family"], statistics["pool"], cohort)
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_queries_saved(data, cohort),
        [snakemake.output.svg, snakemake.output.pdf],
        "Queries saved by family",
        "Queries that JointCore asks fewer than the singleton; the data is beside it as CSV.",
    )
