"""Draw the evaluations of every method against the number of records."""

import json

from jointcore.figures.evaluations import draw_evaluations, evaluations_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log

with job_log(snakemake.log[0]), open(snakemake.input.metrics, encoding="utf-8") as file:
    data = evaluations_data(json.load(file))
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    save_figure(draw_evaluations(data), [snakemake.output.svg, snakemake.output.pdf])
