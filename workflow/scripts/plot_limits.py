"""Draw every search beside the fewest evaluations possible."""

from jointcore.csv_files import read_csv, write_csv
from jointcore.evaluation.stress.storage import read_limits
from jointcore.figures.stress_limits import draw_limits, limits_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.stress_means import COLUMNS, TEXT_COLUMNS, limit_means
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    means = read_csv(snakemake.input.means, COLUMNS, text=TEXT_COLUMNS)
    data = limits_data(means, limit_means(read_limits(snakemake.input.limits)))
    write_csv(snakemake.output.csv, data)
    drawn = draw_limits(data, {slug: schema.name for slug, schema in FAMILIES.items()})
    save_figure(
        drawn,
        [snakemake.output.svg, snakemake.output.pdf],
        "The fewest evaluations possible",
        "Evaluations of every search beside the fewest possible; the data is beside it as CSV.",
    )
