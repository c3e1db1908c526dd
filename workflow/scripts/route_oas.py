"""Fit every policy on folds of questions and say how good its choices are."""

from jointcore.consolidation.evaluate import read_outcomes
from jointcore.consolidation.operators import ACTIONS, SELECT
from jointcore.consolidation.routing import choices, decomposition, routing_results, routing_table
from jointcore.csv_files import write_csv
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    rows = read_outcomes(snakemake.input.outcomes)
    chosen = choices(routing_table(rows, ACTIONS), routing_table(rows, (*ACTIONS, SELECT)))
    write_csv(snakemake.output.routing, routing_results(chosen), seal=True)
    write_csv(snakemake.output.decomposition, decomposition(rows), seal=True)
