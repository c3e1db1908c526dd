"""Draw the evaluations of every method against the number of records."""

from jointcore.csv_files import write_csv
from jointcore.figures.evaluations import draw_evaluations, evaluations_data
from jointcore.figures.style import save_figure
from jointcore.files import read_json
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    data = evaluations_data(read_json(snakemake.input.metrics))
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_evaluations(data),
        [snakemake.output.svg, snakemake.output.pdf],
        "Evaluations against n",
        "Mean evaluations per condition against the number of records, a line a method; the data is beside it as CSV.",
    )
