"""Run every method with one model on a shard of the tasks, then decide the selected sets again."""

from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.runtime import runtime_record
from jointcore.evaluation.model_rows import Model
from jointcore.evaluation.model_run import Robustness, ShardPlan, run_shard, write_shard
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    wildcards, params, output = snakemake.wildcards, snakemake.params, snakemake.output
    place = {"mem_mb": snakemake.resources.mem_mb, "runtime_minutes": snakemake.resources.runtime}
    entry = ModelEntry.from_settings(wildcards.model, {**params.entry, **place})
    tasks = list(read_tasks(snakemake.input.tasks))
    job = (int(wildcards.shard), entry.shards, choose_methods(params.methods), params.settings)
    plan = ShardPlan(*job, Robustness(**params.robustness), entry.in_flight)
    with open_judge(entry, params.store) as judge:
        run = run_shard(judge, tasks, plan)
        record = runtime_record(judge, snakemake.scriptdir)
    write_shard(run, Model(entry.key, entry.role), output.primary, output.traces, output.robustness)
    write_json(output.runtime, {"shard": plan.shard, **record, "questions": run.questions})
