"""Lay out every recorded search of the exact stage for a reader."""

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.report.case_view import case_page
from jointcore.report.cases import exact_cases
from jointcore.selection.catalogue import load_method
from jointcore.statistics.registration import JOINTCORE
from jointcore.tasks.storage import read_tasks

JOINTCORE_NAME = load_method(JOINTCORE).name

with job_log(snakemake.log[0]):
    methods = {slug: load_method(slug).name for slug in snakemake.params.methods}
    inputs = snakemake.input
    tasks = list(read_tasks(inputs.tasks))
    # All replicates together would be a page of a hundred megabytes once it is open; one shows every cell of the grid.
    first = min(task.cell.seed_block for task in tasks)
    shown = [task for task in tasks if task.cell.seed_block == first]
    template = PromptTemplate.load(inputs.template)
    cases = exact_cases(shown, methods, inputs.outcomes, inputs.traces, template)
    lead = [
        "Every search of the exact stage, asked set by set, answered by the logical rule. Shown are the "
        f"{len(shown):,} of {len(tasks):,} conditions of seed block {first}: every cell of the grid once. The other "
        "blocks' searches are in results/exact/traces."
    ]
    write_text(snakemake.output.html, case_page("Cases of the exact stage", cases, lead, JOINTCORE_NAME))
