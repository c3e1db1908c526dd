"""Draw JointCore's trace of the worked example."""

import json

from jointcore.figures.style import save_figure
from jointcore.figures.worked_example import draw_trace, trace_data
from jointcore.files import write_text
from jointcore.logs import job_log

with job_log(snakemake.log[0]), open(snakemake.input.example, encoding="utf-8") as file:
    example = json.load(file)
    data = trace_data(example, "jointcore_cost_ordered")
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    save_figure(draw_trace(data, example, "jointcore_cost_ordered"), [snakemake.output.svg, snakemake.output.pdf])
