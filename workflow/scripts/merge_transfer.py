"""Lay the transfer rows of all targets of a cohort one after another."""

from itertools import chain

from jointcore.evaluation.model_storage import TRANSFER_ROWS, read_rows, write_rows
from jointcore.logs import job_log

with job_log(snakemake.log[0]):
    parts = (read_rows(path, TRANSFER_ROWS) for path in snakemake.input.transfer)
    write_rows(snakemake.output.transfer, TRANSFER_ROWS, chain.from_iterable(parts))
