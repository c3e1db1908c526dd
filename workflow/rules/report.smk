# The report's first page, which every run has, and the cases: every recorded search, to look at one by one.


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
        summaries=lambda wildcards: [f"results/statistics/{cohort}/summary.csv" for cohort in shown_cohorts()],
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
