"""Draw a stress experiment."""

from jointcore.csv_files import read_csv, write_csv
from jointcore.figures.stress import draw_stress, stress_data
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.stress_means import COLUMNS, TEXT_COLUMNS
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    figure = snakemake.wildcards.figure
    data = stress_data(read_csv(snakemake.input.means, COLUMNS, text=TEXT_COLUMNS), figure)
    write_csv(snakemake.output.csv, data)
    drawn = draw_stress(data, figure, {slug: schema.name for slug, schema in FAMILIES.items()})
    save_figure(
        drawn,
        [snakemake.output.svg, snakemake.output.pdf],
        "Searches under stress",
        "What every search asks and finds under stress, a line a method; the data is beside it as CSV.",
    )
