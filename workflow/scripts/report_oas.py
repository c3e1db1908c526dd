"""Draw and tabulate the choice between retaining and consolidating."""

import json
from pathlib import Path

import pandas as pd

from jointcore.figures.oas import draw_accuracy, draw_decomposition, draw_policies
from jointcore.figures.style import save_figure
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.report.oas_pages import POLICY_NAMES, compare_oas, oas_page

with job_log(snakemake.log[0]):
    routing, means = pd.read_csv(snakemake.input.routing), pd.read_csv(snakemake.input.decomposition)
    comparison = compare_oas(json.loads(Path(snakemake.input.published).read_text(encoding="utf-8")))
    write_text(snakemake.output.comparison, comparison.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.html, oas_page(routing, means, comparison))
    drawings = (("accuracy", draw_accuracy, means), ("decomposition", draw_decomposition, means))
    for place, (name, draw, data) in enumerate((*drawings, ("policies", draw_policies, routing))):
        write_text(snakemake.output.csv[place], data.to_csv(index=False, lineterminator="\n"))
        save_figure(draw(data, POLICY_NAMES), [snakemake.output[name], snakemake.output.pdf[place]])
