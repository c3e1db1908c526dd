"""Means of every method over the conditions of the exact grid."""

from jointcore.errors import InputError
from jointcore.evaluation.exact_storage import KIND, SCHEMA, read_outcomes
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.parquet import count_rows
from jointcore.selection.catalogue import load_method
from jointcore.statistics.exact_means import COLUMNS, combine_methods, method_means
from jointcore.tasks.families import FAMILIES

with job_log(snakemake.log[0]):
    files = dict(zip(snakemake.params.methods, snakemake.input.outcomes, strict=True))
    means = {slug: method_means(read_outcomes(path, COLUMNS)) for slug, path in files.items()}
    methods = [load_method(slug).description() for slug in files]
    families = {slug: schema.name for slug, schema in FAMILIES.items()}
    conditions = {count_rows(path, KIND, SCHEMA) for path in files.values()}
    if len(conditions) > 1:
        raise InputError("the methods' outcomes differ in their number of rows; delete results/exact and run again")
    made_with = {**snakemake.params.settings, "conditions": conditions.pop(), "methods": list(files)}
    result = {"methods": methods, "families": families, "settings": made_with, "metrics": combine_methods(means)}
    write_json(snakemake.output.metrics, result)
    write_json(snakemake.output.settings, made_with)
