"""Draw the score of CMI's methods against their adoption of harmful memories."""

from jointcore.csv_files import write_csv
from jointcore.figures.cmi import cmi_data, draw_cmi
from jointcore.figures.style import save_figure
from jointcore.logs import job_log
from jointcore.statistics.cmi.records import read_records

with job_log(snakemake.log[0]):
    data = cmi_data(read_records(snakemake.input.questions, snakemake.input.scores, snakemake.input.interventions))
    write_csv(snakemake.output.csv, data)
    save_figure(draw_cmi(data), [snakemake.output.svg, snakemake.output.pdf])
