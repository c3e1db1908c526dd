"""Run every method on every question about own memories, with one judge and one store of its answers."""

from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.runtime import runtime_record
from jointcore.evaluation.model_storage import write_rows
from jointcore.files import write_json
from jointcore.logs import job_log
from jointcore.own_data.questions import read_questions
from jointcore.own_data.rows import OWN_ROWS
from jointcore.own_data.selection import by_method, own_cases, own_row, select_own
from jointcore.selection.catalogue import choose_methods

with job_log(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    place = {"mem_mb": snakemake.resources.mem_mb, "runtime_minutes": snakemake.resources.runtime}
    entry = ModelEntry.from_settings(params.judge, {**params.entry, **place})
    asked = read_questions(snakemake.input.questions, params.answers)
    methods = choose_methods(params.methods)
    with open_judge(entry, params.store) as judge:
        runs = select_own(judge, asked, methods, params.settings, params.relevance, entry.in_flight)
        record = runtime_record(judge, snakemake.scriptdir)
    found = by_method(runs)
    for path, method in zip(output.rows, params.methods, strict=True):
        write_rows(path, OWN_ROWS, map(own_row, found[method]))
    write_json(output.cases, own_cases(runs))
    write_json(output.runtime, record)
