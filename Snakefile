# JointCore: interaction-aware memory selection for LLM agents.
#
# What lies where under results/:
#   benchmark/{grid}.parquet           what is asked: the tasks of a grid
#   exact/{method}.parquet             outcomes of a method with the logical rule as the judge
#   exact/traces/{method}.parquet      everything that it asked and was told
#   exact/metrics.json                 means over the conditions; settings.json: what they were made with
#   model/{model}/{result}.parquet     the model stage: primary, robustness, traces of a model
#   model/{model}/runtime.json         what ran where
#   model/{model}/decisions/           every answer of the model; survives failed jobs
#   local/models/{model}/              checkpoints of the local cohort, made here
#   transfer/{cohort}.parquet          sets of each model, decided by the others of its cohort
#   statistics/{cohort}/{name}.csv     tests, intervals, gates and pools of a cohort of models
#   stress/                            every search where relevance or decisions err, and the fewest evaluations possible
#   own_data/                          selections on memories of your own, and every answer about them
#   tables/, figures/                  the paper's tables and figures, from this run; of the models, by cohort
#   comparison/                        published beside reproduced
#   report/index.html, cases.html      the first page; every recorded search, to look at one by one

import os

from snakemake.utils import min_version

min_version("9.20")


# Defaults are read from this checkout in any case, so a working directory elsewhere needs no file of its own.
if os.path.exists("config/config.yaml"):

    configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/benchmark.smk"
include: "workflow/rules/exact.smk"
include: "workflow/rules/model_common.smk"
include: "workflow/rules/local_models.smk"
include: "workflow/rules/model.smk"
include: "workflow/rules/statistics_common.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/exact_tables.smk"
include: "workflow/rules/exact_figures.smk"
include: "workflow/rules/exact_comparison.smk"
include: "workflow/rules/stress_common.smk"
include: "workflow/rules/stress.smk"
include: "workflow/rules/cmi_common.smk"
include: "workflow/rules/cmi.smk"
include: "workflow/rules/oas_common.smk"
include: "workflow/rules/oas.smk"
include: "workflow/rules/own_data_common.smk"
include: "workflow/rules/own_data.smk"
include: "workflow/rules/report_common.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/prefetch.smk"
include: "workflow/rules/cluster.smk"
include: "workflow/rules/stages.smk"


wildcard_constraints:
    grid="exact|model|robustness|development",
    method="|".join(EXACT_METHODS),
    table="table1|table1_by_n|table1_by_family",


onstart:
    check_writable("results", "logs")
    start_run()


onsuccess:
    end_run()


rule all:
    default_target: True
    input:
        chosen_files(),


rule model_study:
    input:
        lambda wildcards: study_files("registered"),


rule local_study:
    input:
        lambda wildcards: study_files("local"),


rule stress:
    input:
        stress_files(),


rule own_data:
    input:
        lambda wildcards: own_data_files(),
