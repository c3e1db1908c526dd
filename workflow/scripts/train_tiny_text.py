"""Train the tiny model that reads text memories of a made-up world."""

from pathlib import Path

from jointcore.decisions.prompts.text_template import TextPromptTemplate
from jointcore.local_models.plan import Plan
from jointcore.local_models.tiny_text import make_text_checkpoint
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    template = TextPromptTemplate.load(snakemake.input.template)
    make_text_checkpoint(Path(snakemake.output[0]).parent, "tiny_text", Plan(**snakemake.params.plan), template)
