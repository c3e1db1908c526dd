# JointCore: interaction-aware memory selection for LLM agents.
#
# What lies where under results/:
#   benchmark/{grid}.parquet           what is asked: the tasks of a grid
#   exact/{method}.parquet             outcomes of a method with the logical rule as the judge
#   exact/traces/{method}.parquet      everything that it asked and was told
#   exact/metrics.json                 means over the conditions
#   tables/, figures/                  the paper's tables and figures, from this run
#   comparison/                        published beside reproduced

from snakemake.utils import min_version

min_version("9.20")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/benchmark.smk"
include: "workflow/rules/exact.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/comparison.smk"


wildcard_constraints:
    grid="exact|model|robustness|development",
    method="|".join(EXACT_METHODS),
    table="table1|table1_by_n|table1_by_family",


onstart:
    check_writable("results", "logs")


rule all:
    default_target: True
    input:
        exact_stage_files(),
