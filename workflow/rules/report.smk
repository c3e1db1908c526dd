# The report's first page, which every run has, and the cases: every recorded search, to look at one by one.

import subprocess

from jointcore.statistics.cohort import COHORT_NAMES

#: Result of the exact stage to its name among the first page's links, in the paper's order.
EXACT_LINKS = {
    "tables/table1.html": "Table 1, exact stage",
    "tables/table1_by_n.html": "Table 1 by n",
    "tables/table1_by_family.html": "Table 1 by family",
    "figures/evaluations_by_n.svg": "Evaluations against n",
    "figures/figure1_worked_example.svg": "Figure 1, trace of JointCore",
    "tables/table4.html": "Table 4, worked example",
    "comparison/exact.html": "Published and reproduced, exact stage",
    "report/cases.html": "Cases of the exact stage",
}
#: The same of a cohort of the model stage.
COHORT_LINKS = {
    "report/{cohort}/summary.html": "Summary",
    "tables/{cohort}/table2.html": "Table 2, models",
    "figures/{cohort}/figure2.svg": "Figure 2, queries",
    "figures/{cohort}/figure3.svg": "Figure 3, families",
    "figures/{cohort}/figure4.svg": "Figure 4, robustness",
    "tables/{cohort}/table5.html": "Table 5, queries",
    "comparison/{cohort}/paper.html": "Published and reproduced, whole paper",
    "report/{cohort}/cases.html": "Cases",
}


def commit():
    """The commit of this checkout; a copy without one says so."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown (not a git checkout)"
    return done.stdout.strip()


def shown_cohorts():
    """The cohorts of the first page: those of this run's stages and targets, and those whose statistics are there."""
    targets = {str(target) for target in workflow.dag_settings.targets}
    asked = {"registered": "model_study", "local": "local_study"}
    return [
        cohort
        for cohort, models in COHORTS.items()
        if models
        and (
            cohort in config["stages"]
            or asked[cohort] in targets
            or Path(f"results/statistics/{cohort}/cohort.json").exists()
        )
    ]


def first_page_links():
    """Name to target, seen from the first page, of the results that a reader can open."""
    links = {name: f"../{path}" for path, name in EXACT_LINKS.items()}
    for cohort in shown_cohorts():
        links |= {
            f"{name} ({COHORT_NAMES[cohort]})": f"../{path.format(cohort=cohort)}"
            for path, name in COHORT_LINKS.items()
        }
    return links


rule write_first_page:
    input:
        metrics="results/exact/metrics.json",
        example="results/exact/worked_example.json",
        exact="results/comparison/exact.csv",
        digest="results/comparison/exact_digest.json",
        whole=lambda wildcards: (
            ["results/comparison/registered/paper.csv"] if "registered" in shown_cohorts() else []
        ),
        cohorts=lambda wildcards: [f"results/statistics/{cohort}/cohort.json" for cohort in shown_cohorts()],
        pools=lambda wildcards: [f"results/statistics/{cohort}/pool.csv" for cohort in shown_cohorts()],
        record=project_file("resources/published/exact_metrics.json"),
        paper=project_file("resources/published/paper.json"),
        settings=project_file("resources/published/settings.json"),
    output:
        html=report(
            "results/report/index.html",
            caption="../report/first_page.rst",
            category="0 Start here",
            labels={"result": "First page"},
        ),
        chart="results/figures/cost_quality.svg",
        pdf="results/figures/cost_quality.pdf",
        csv="results/figures/cost_quality.csv",
        published="results/figures/published_models.svg",
    log:
        "logs/write_first_page.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("write_first_page.py"),
        settings={stage: stage_settings(stage) for stage in ["exact", "model", "robustness"]},
        links=lambda wildcards: first_page_links(),
        commit=commit(),
    script:
        "../scripts/write_first_page.py"


rule view_exact_cases:
    input:
        tasks="results/benchmark/exact.parquet",
        outcomes=expand("results/exact/{method}.parquet", method=EXACT_METHODS),
        traces=expand("results/exact/traces/{method}.parquet", method=EXACT_METHODS),
        template=project_file("config/prompts/default.yaml"),
    output:
        html=report(
            "results/report/cases.html",
            caption="../report/cases.rst",
            category="0 Start here",
            labels={"result": "Cases of the exact stage"},
        ),
    log:
        "logs/view_exact_cases.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        code=code("view_exact_cases.py"),
        methods=EXACT_METHODS,
    script:
        "../scripts/view_exact_cases.py"


rule view_model_cases:
    input:
        cohort="results/statistics/{cohort}/cohort.json",
        tasks="results/benchmark/model.parquet",
        primary=of_cohort("primary.parquet"),
        traces=of_cohort("traces.parquet"),
        templates=lambda wildcards: [
            located(entry.prompt_template) for entry in COHORTS[wildcards.cohort].values()
        ],
    output:
        html=report(
            "results/report/{cohort}/cases.html",
            caption="../report/cases.rst",
            category="0 Start here",
            labels=lambda wildcards: {"result": f"Cases ({COHORT_NAMES[wildcards.cohort]})"},
        ),
    log:
        "logs/view_model_cases/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        code=code("view_model_cases.py"),
        models=lambda wildcards: list(COHORTS[wildcards.cohort]),
    script:
        "../scripts/view_model_cases.py"
