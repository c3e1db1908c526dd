"""Draw the margins of decisions by family and model."""

from jointcore.csv_files import write_csv
from jointcore.evaluation.model_storage import PRIMARY_ROWS
from jointcore.figures.model_margins import MARGIN_COLUMNS, draw_margins, margins_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.model_frames import read_frame

with job_log(snakemake.log[0]):
    cohort = Cohort.read(snakemake.input.cohort)
    data = margins_data(read_frame(snakemake.input.primary, PRIMARY_ROWS, MARGIN_COLUMNS), cohort)
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_margins(data, cohort),
        [snakemake.output.svg, snakemake.output.pdf],
        "Margins of decisions",
        "Quantiles of the margin by family and model; the data is beside it as CSV.",
    )
