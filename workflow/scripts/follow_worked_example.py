"""Follow every method through the worked example."""

from jointcore.evaluation.exact_storage import find_row, read_outcomes, read_traces
from jointcore.evaluation.worked_example import find_task, worked_example
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.selection.catalogue import load_method
from jointcore.tasks.grid import Cell
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    task = find_task(read_tasks(snakemake.input.tasks), Cell(**snakemake.params.cell))
    outcomes = [find_row(read_outcomes(path), task.question.id) for path in snakemake.input.outcomes]
    traces = [find_row(read_traces(path), task.question.id) for path in snakemake.input.traces]
    methods = [load_method(slug).description() for slug in snakemake.params.methods]
    write_json(snakemake.output.example, worked_example(task, methods, outcomes, traces))
