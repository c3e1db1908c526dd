"""Draw a figure of the model stage, and write its data beside it."""

from jointcore.csv_files import write_csv
from jointcore.figures.model_figure import load_figure, read_drawn
from jointcore.figures.style import save_figure
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    figure, given, output = load_figure(snakemake.params.figure), snakemake.input, snakemake.output
    drawn = read_drawn(figure, given.cohort, given.statistics, given.primary, given.paper)
    data = figure.data(drawn)
    write_csv(output.csv, data)
    save_figure(figure.draw(data, drawn.cohort), [output.svg, output.pdf], figure.heading, figure.description)
