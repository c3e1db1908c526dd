"""Draw every search beside the fewest evaluations possible."""

import pandas as pd

from jointcore.evaluation.stress.storage import read_limits
from jointcore.figures.stress_limits import draw_limits, limits_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.statistics.stress_means import limit_means
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    means = pd.read_csv(snakemake.input.means, dtype={"level": str, "noise": str, "group": str})
    data = limits_data(means, limit_means(read_limits(snakemake.input.limits)))
    write_text(snakemake.output.csv, data.to_csv(index=False, lineterminator="\n"))
    drawn = draw_limits(data, {slug: schema.name for slug, schema in FAMILIES.items()})
    save_figure(drawn, [snakemake.output.svg, snakemake.output.pdf])
