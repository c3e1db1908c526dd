"""Merge the shards of a model."""

from jointcore.evaluation.model_storage import PRIMARY_ROWS, ROBUSTNESS_ROWS, TRACE_ROWS, merge_shards
from jointcore.files import read_json, write_json
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    merge_shards(snakemake.output.primary, PRIMARY_ROWS, snakemake.input.primary)
    merge_shards(snakemake.output.robustness, ROBUSTNESS_ROWS, snakemake.input.robustness)
    merge_shards(snakemake.output.traces, TRACE_ROWS, snakemake.input.traces)
    write_json(snakemake.output.runtime, [read_json(path) for path in snakemake.input.runtime])
