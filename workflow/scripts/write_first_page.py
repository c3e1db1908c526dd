"""Write the report's first page: the numbers that matter, what was reproduced and what not, and the way on."""

import platform
from importlib.metadata import version
from pathlib import Path

from jointcore.csv_files import read_csv, write_csv
from jointcore.figures.cost_quality import cost_quality_data, draw_cost_quality
from jointcore.figures.published import draw_published, published_data
from jointcore.figures.style import save_figure
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.report.first_page import CohortResults, first_page
from jointcore.report.model_comparison import compare_paper
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.run_warnings import run_warnings

TEXT = ("published", "reproduced", "verdict")

with job_log(snakemake.log[0]):
    inputs, params = snakemake.input, snakemake.params
    names = ("record", "paper", "settings", "metrics", "example")
    documents = {name: read_json(inputs[name]) for name in names}
    if inputs.whole:
        whole = read_csv(inputs.whole[0], text=TEXT)
    else:
        whole, _ = compare_paper(**documents, run_settings=params.settings, cohort=None, statistics=None)
    chart = cost_quality_data(documents["metrics"])
    save_figure(
        draw_cost_quality(chart),
        [snakemake.output.chart, snakemake.output.pdf],
        "Cost against quality",
        "Minimum-cost recovery against mean evaluations, a mark a method; the numbers are in Table 1.",
    )
    write_csv(snakemake.output.csv, chart)
    save_figure(
        draw_published(published_data(documents["paper"])),
        [snakemake.output.published],
        "The published model stage",
        "Published means of JointCore and the cost-aware singleton for four models; the numbers are listed below.",
    )
    drawings = [Path(snakemake.output[name]).read_text(encoding="utf-8") for name in ("chart", "published")]
    page = first_page(
        metrics=documents["metrics"],
        exact=read_csv(inputs.exact, text=TEXT),
        digests=read_json(inputs.digest),
        whole=whole,
        paper=documents["paper"],
        cohorts=[
            CohortResults(
                cohort := Cohort.read(path),
                read_csv(pool, text=("second",)),
                run_warnings(read_csv(summary), cohort.names),
            )
            for path, pool, summary in zip(inputs.cohorts, inputs.pools, inputs.summaries, strict=True)
        ],
        chart=drawings[0],
        published=drawings[1],
        links=params.links,
        provenance={
            "jointcore": version("jointcore"),
            "commit": params.commit,
            "Python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "pandas", "pyarrow", "snakemake")},
        },
    )
    write_text(snakemake.output.html, page)
