"""Evaluate every action on every generated question under every budget."""

from jointcore.consolidation.evaluate import outcomes, write_outcomes
from jointcore.consolidation.generate import NotesPlan, generate
from jointcore.consolidation.operators import Losses
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    params = snakemake.params
    rows = outcomes(generate(NotesPlan.from_settings(params.benchmark)), params.budgets, Losses(**params.losses))
    write_outcomes(snakemake.output.outcomes, rows)
