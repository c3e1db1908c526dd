"""Let one model decide the sets that all models of its cohort selected."""

from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.models.entry import ModelEntry
from jointcore.evaluation.answers import DecisionMemo
from jointcore.evaluation.model_rows import transfer_row
from jointcore.evaluation.model_storage import PRIMARY_ROWS, TRANSFER_ROWS, read_rows, write_rows
from jointcore.evaluation.transfer import run_transfer
from jointcore.logs import job_log
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    params, key = snakemake.params, snakemake.wildcards.model
    place = {"mem_mb": snakemake.resources.mem_mb, "runtime_minutes": snakemake.resources.runtime}
    entry = ModelEntry.from_settings(key, {**params.entry, **place})
    tasks = list(read_tasks(snakemake.input.tasks))
    primary = zip(params.models, (read_rows(path, PRIMARY_ROWS) for path in snakemake.input.primary), strict=True)
    with open_judge(entry, params.store) as judge:
        outcomes = run_transfer(DecisionMemo(judge), key, tasks, dict(primary), params.methods)
    write_rows(snakemake.output.transfer, TRANSFER_ROWS, (transfer_row(entry.role, outcome) for outcome in outcomes))
