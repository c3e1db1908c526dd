"""Means of a stress experiment over conditions and seeds."""

from jointcore.csv_files import write_csv
from jointcore.evaluation.stress.storage import read_rows
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.selection.catalogue import load_method
from jointcore.statistics.stress_means import stress_means

with job_log(snakemake.log[0]):
    batches = {slug: read_rows(path) for slug, path in zip(snakemake.params.methods, snakemake.input.rows, strict=True)}
    means = stress_means(batches, [load_method(slug).description() for slug in batches])
    write_csv(snakemake.output.csv, means, seal=True)
    write_json(snakemake.output.settings, snakemake.params.settings)
