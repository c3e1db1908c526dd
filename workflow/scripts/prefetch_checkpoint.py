"""Fetch a model's checkpoint, verify every byte of it, and write down the digests."""

from jointcore.decisions.checkpoints.verification import checkpoint_record
from jointcore.decisions.models.entry import ModelEntry
from jointcore.files import write_json
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    write_json(snakemake.output.record, checkpoint_record(ModelEntry(**snakemake.params.entry)))
