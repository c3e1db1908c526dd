"""Write the table, the figure and the page of the selections on own memories."""

import json

import pandas as pd

from jointcore.figures.own_data import draw_own_data
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.own_data.tables import own_means, own_page, own_table
from jointcore.report.outputs import write_table
from jointcore.selection.catalogue import load_method

with job_log(snakemake.log[0]), open(snakemake.input.cases, encoding="utf-8") as file:
    methods, output, cases = snakemake.params.methods, snakemake.output, json.load(file)
    frames = {slug: pd.read_parquet(path) for slug, path in zip(methods, snakemake.input.rows, strict=True)}
    means = own_means(frames, {slug: load_method(slug).name for slug in methods})
    table = own_table(means, snakemake.params.judge)
    write_table(table, output.csv, output.tex, output.html)
    write_text(output.data, means.to_csv(index=False, lineterminator="\n"))
    save_figure(draw_own_data(means), [output.svg, output.pdf])
    write_text(output.page, own_page(cases, table, snakemake.params.judge))
