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
    cases = exact_cases(
        read_tasks(inputs.tasks), methods, inputs.outcomes, inputs.traces, PromptTemplate.load(inputs.template)
    )
    lead = [
        "Every search of the exact stage, answered by the logical rule. Conditions that differ in the horizon label "
        "alone share their records and their rule; each memory is shown once."
    ]
    write_text(snakemake.output.html, case_page("Cases of the exact stage", cases, lead, JOINTCORE_NAME))
