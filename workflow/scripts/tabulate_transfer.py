"""Write the transfer matrix of a cohort."""

from jointcore.evaluation.model_storage import TRANSFER_ROWS
from jointcore.logs import job_log
from jointcore.report.outputs import write_table
from jointcore.report.run_tables import transfer_table
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.model_frames import read_frame
from jointcore.statistics.transfer_matrix import transfer_matrix

with job_log(snakemake.log[0]):
    matrix = transfer_matrix(read_frame([snakemake.input.transfer], TRANSFER_ROWS))
    table = transfer_table(matrix, Cohort.read(snakemake.input.cohort))
    write_table(table, snakemake.output.csv, snakemake.output.tex, snakemake.output.html)
