"""Draw JointCore's trace of the worked example."""

from jointcore.csv_files import write_csv
from jointcore.figures.style import save_figure
from jointcore.figures.worked_example import draw_trace, trace_data
from jointcore.files import read_json
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    example = read_json(snakemake.input.example)
    data = trace_data(example, "jointcore_cost_ordered")
    write_csv(snakemake.output.csv, data)
    save_figure(
        draw_trace(data, example, "jointcore_cost_ordered"),
        [snakemake.output.svg, snakemake.output.pdf],
        "Figure 1: trace of JointCore",
        "Every set that JointCore asks on the worked example; the data is beside it as CSV.",
    )
