"""Run one method on a grid that reaches many records."""

from jointcore.evaluation.stress.scenarios import relevance_scenarios
from jointcore.evaluation.stress.storage import write_rows
from jointcore.evaluation.stress.sweep import sweep
from jointcore.logs import job_log
from jointcore.progress import progress
from jointcore.selection.catalogue import load_method
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

with job_log(snakemake.log[0]):
    params, method = snakemake.params, load_method(snakemake.wildcards.method)
    grid = Grid.from_settings(params, params.grid, nesting="exact")
    scenarios = relevance_scenarios(**params.scenarios)
    tasks = progress(generate_tasks(grid), len(grid), f"{method.slug}, {len(scenarios)} scenarios")
    write_rows(snakemake.output.rows, sweep(method, tasks, scenarios, params.settings))
