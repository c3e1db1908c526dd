"""Draw a stress experiment."""

import pandas as pd

from jointcore.figures.stress import draw_stress, stress_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    figure, text = snakemake.wildcards.figure, {"level": str, "noise": str, "group": str}
    data = stress_data(pd.read_csv(snakemake.input.means, dtype=text), figure)
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    drawn = draw_stress(data, figure, {slug: schema.name for slug, schema in FAMILIES.items()})
    save_figure(drawn, [snakemake.output.svg, snakemake.output.pdf])
