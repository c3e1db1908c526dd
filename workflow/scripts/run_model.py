"""Run every method with one model on a shard of the tasks, then decide the selected sets again."""

from jointcore.decisions.judges.checkpoint import open_model
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.runtime import runtime_record
from jointcore.evaluation.model_rows import Model
from jointcore.evaluation.model_run import Robustness, run_shard, write_shard
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.selection.catalogue import choose_methods
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    wildcards, params, output = snakemake.wildcards, snakemake.params, snakemake.output
    place = {"mem_mb": snakemake.resources.mem_mb, "runtime_minutes": snakemake.resources.runtime}
    entry = ModelEntry.from_settings(wildcards.model, {**params.entry, **place})
    tasks = list(read_tasks(snakemake.input.tasks))
    methods, robustness = choose_methods(params.methods), Robustness(**params.robustness)
    with open_model(entry, params.store) as model:
        job = (int(wildcards.shard), entry.shards, methods, params.settings, robustness)
        run = run_shard(model.decider, tasks, *job, in_flight=entry.in_flight)
        record = runtime_record(model.decider, model.scorer, model.template.digest, snakemake.scriptdir)
    write_shard(run, Model(entry.key, entry.role), output.primary, output.traces, output.robustness)
    write_json(output.runtime, {"shard": int(wildcards.shard), **record, "questions": run.questions})
