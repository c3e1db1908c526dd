"""Write the table, the figure and the page of the selections on own memories."""

import pandas as pd

from jointcore.csv_files import write_csv
from jointcore.evaluation.model_storage import read_rows
from jointcore.figures.own_data import draw_own_data
from jointcore.figures.style import save_figure
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.own_data.rows import OWN_ROWS
from jointcore.own_data.tables import own_means, own_page, own_table
from jointcore.report.outputs import write_table
from jointcore.selection.catalogue import load_method

with job_log(snakemake.log[0]):
    methods, output, cases = snakemake.params.methods, snakemake.output, read_json(snakemake.input.cases)
    files = zip(methods, snakemake.input.rows, strict=True)
    frames = {slug: pd.DataFrame(read_rows(path, OWN_ROWS)) for slug, path in files}
    means = own_means(frames, {slug: load_method(slug).name for slug in methods})
    table = own_table(means, snakemake.params.judge)
    write_table(table, output.csv, output.tex, output.html)
    write_csv(output.data, means)
    save_figure(draw_own_data(means), [output.svg, output.pdf])
    write_text(output.page, own_page(cases, table, snakemake.params.judge))
