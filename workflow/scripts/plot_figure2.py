"""Draw queries and minimum-cost recovery per model; of the registered cohort, the published ones beside them."""

from jointcore.csv_files import write_csv
from jointcore.figures.model_figure2 import draw_figure2, figure2_data
from jointcore.figures.style import save_figure
from jointcore.files import read_json
from jointcore.logs import job_log
from jointcore.statistics.cohort_statistics import read_cohort

with job_log(snakemake.log[0]):
    cohort, statistics = read_cohort(snakemake.input.statistics)
    paper = read_json(snakemake.input.paper[0]) if snakemake.input.paper else None
    data = figure2_data(statistics["summary"], cohort, paper)
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_figure2(data, cohort),
        [snakemake.output.svg, snakemake.output.pdf],
        "Figure 2: queries and minimum-cost recovery",
        "Means of JointCore and the singleton for every model, with 95% intervals; the data is beside it as CSV.",
    )
