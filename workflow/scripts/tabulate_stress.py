"""Tabulate what the stress experiments say of the anchored search against JointCore."""

from jointcore.csv_files import read_csv
from jointcore.logs import job_log
from jointcore.report.findings import findings_table
from jointcore.report.outputs import write_table
from jointcore.selection.catalogue import load_method
from jointcore.statistics.findings import stress_findings
from jointcore.statistics.stress_means import COLUMNS, TEXT_COLUMNS

with job_log(snakemake.log[0]):
    params, paths = snakemake.params, snakemake.input.means
    means = {
        name: read_csv(path, COLUMNS, text=TEXT_COLUMNS) for name, path in zip(params.experiments, paths, strict=True)
    }
    names = {slug: load_method(slug).name for slug in params.methods}
    table = findings_table(stress_findings(means), names, "Under stress: what the anchored search asks")
    write_table(table, snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
