"""Train a tiny model of the local cohort on the benchmark's grammar."""

from pathlib import Path

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.local_models.plan import Plan
from jointcore.local_models.tiny import make_checkpoint
from jointcore.logs import job_log
from jointcore.tasks.grid import Grid

with job_log(snakemake.log[0]):
    params, name = snakemake.params, snakemake.wildcards.tiny
    plan, template = Plan(**params.plan, threads=params.threads), PromptTemplate.load(snakemake.input.template)
    make_checkpoint(Path(snakemake.output[0]).parent, name, plan, template, Grid(**params.grid))
