"""Means of every method over the conditions of the exact grid."""

from jointcore.evaluation.exact_storage import read_outcomes
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.selection.catalogue import load_method
from jointcore.statistics.exact_means import COLUMNS, combine_methods, method_means
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    files = dict(zip(snakemake.params.methods, snakemake.input.outcomes, strict=True))
    means = {slug: method_means(read_outcomes(path, COLUMNS)) for slug, path in files.items()}
    methods = [load_method(slug).description() for slug in files]
    families = {slug: schema.name for slug, schema in FAMILIES.items()}
    result = {"methods": methods, "families": families, "metrics": combine_methods(means)}
    write_json(snakemake.output.metrics, result)
