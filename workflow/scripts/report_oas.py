"""Draw and tabulate the choice between retaining and consolidating."""

from jointcore.csv_files import read_csv, write_csv
from jointcore.figures.oas import draw_accuracy, draw_decomposition, draw_policies
from jointcore.figures.style import save_figure
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.report.oas_pages import POLICY_NAMES, compare_oas, oas_page

with job_log(snakemake.log[0]):
    routing, means = read_csv(snakemake.input.routing), read_csv(snakemake.input.decomposition)
    comparison = compare_oas(read_json(snakemake.input.published))
    write_csv(snakemake.output.comparison, comparison)
    write_text(snakemake.output.html, oas_page(routing, means, comparison))
    drawings = (("accuracy", draw_accuracy, means), ("decomposition", draw_decomposition, means))
    for place, (name, draw, data) in enumerate((*drawings, ("policies", draw_policies, routing))):
        write_csv(snakemake.output.csv[place], data)
        save_figure(draw(data, POLICY_NAMES), [snakemake.output[name], snakemake.output.pdf[place]])
