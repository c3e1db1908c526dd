"""Lay out every recorded search of a cohort's models for a reader."""

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.report.case_view import case_page
from jointcore.report.cases import model_cases
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.registration import JOINTCORE
from jointcore.tasks.storage import read_tasks

with job_log(snakemake.log[0]):
    inputs, cohort = snakemake.input, Cohort.read(snakemake.input.cohort)
    # Files are in the order of the configuration, which need not be that of the tables.
    models = {model: cohort.names[model] for model in snakemake.params.models}
    templates = {model: PromptTemplate.load(path) for model, path in zip(models, inputs.templates, strict=True)}
    cases = model_cases(read_tasks(inputs.tasks), cohort.methods, models, inputs.primary, inputs.traces, templates)
    lead = [
        *([cohort.noted()] if cohort.local else []),
        "Every search of the primary run: what was asked, what the model said, and the margin: mean log-probability "
        "per token of the decision on full memory minus that of the other, in nats.",
    ]
    write_text(
        snakemake.output.html,
        case_page(cohort.titled("Cases of the model stage"), cases, lead, cohort.methods.get(JOINTCORE)),
    )
