# From the decisions of a cohort to its statistics, tables, figures and pages. The registered cohort and the
# local demonstration have folders of their own; no rule reads both.


rule compute_statistics:
    input:
        primary=of_cohort("primary.parquet"),
        robustness=of_cohort("robustness.parquet"),
    output:
        cohort="results/statistics/{cohort}/cohort.json",
        settings="results/statistics/{cohort}/settings.json",
        statistics=expand("results/statistics/{{cohort}}/{name}.csv", name=STATISTICS),
    log:
        "logs/compute_statistics/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("compute_statistics.py", *statistic_modules()),
        models=cohort_models,
        methods={method.slug: method.name for method in MODEL_METHODS},
        settings={
            **stage_settings("model"),
            "robustness": {
                **config["model_stage"]["robustness"],
                "stride": config["benchmark"]["subsets"]["robustness"],
            },
        },
    script:
        "../scripts/compute_statistics.py"


rule tabulate_model_stage:
    input:
        statistics=cohort_statistics(*STATISTICS),
    output:
        **cohort_tables(),
    log:
        "logs/tabulate_model_stage/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_model_stage.py"),
    script:
        "../scripts/tabulate_model_stage.py"


rule tabulate_runtime:
    input:
        cohort="results/statistics/{cohort}/cohort.json",
        runtime=of_cohort("runtime.json"),
    output:
        csv="results/tables/{cohort}/runtime.csv",
        tex="results/tables/{cohort}/runtime.tex",
        html=cohort_page("results/tables/{cohort}/runtime.html", "Runtime", "model_table", "Tables"),
    log:
        "logs/tabulate_runtime/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_runtime.py"),
    script:
        "../scripts/tabulate_runtime.py"


rule tabulate_transfer:
    input:
        cohort="results/statistics/{cohort}/cohort.json",
        transfer="results/transfer/{cohort}.parquet",
    output:
        csv="results/tables/{cohort}/transfer.csv",
        tex="results/tables/{cohort}/transfer.tex",
        html=cohort_page("results/tables/{cohort}/transfer.html", "Transfer", "model_table", "Tables"),
    log:
        "logs/tabulate_transfer/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_transfer.py"),
    script:
        "../scripts/tabulate_transfer.py"


for figure in all_figures():

    rule:
        name:
            f"plot_{figure.name}"
        input:
            cohort="results/statistics/{cohort}/cohort.json",
            statistics=[f"results/statistics/{{cohort}}/{name}.csv" for name in figure.statistics],
            primary=of_cohort("primary.parquet") if figure.primary else [],
            paper=published_for if figure.published else [],
        output:
            svg=cohort_page(
                f"results/figures/{{cohort}}/{figure.name}.svg", figure.title, figure.name, "Figures"
            ),
            pdf=f"results/figures/{{cohort}}/{figure.name}.pdf",
            csv=cohort_page(
                f"results/figures/{{cohort}}/{figure.name}.csv",
                figure.title.partition(",")[0],
                "figure_data",
                "Figure data",
            ),
        log:
            f"logs/plot_{figure.name}/{{cohort}}.log",
        localrule: True
        conda:
            "../../envs/exact.yaml"
        resources:
            mem_mb=500,
            runtime=5,
        params:
            code=code("plot_model_figure.py", figure_module(figure.name)),
            figure=figure.name,
        script:
            "../scripts/plot_model_figure.py"


rule compare_paper:
    input:
        statistics=cohort_statistics(*STATISTICS),
        metrics="results/exact/metrics.json",
        example="results/exact/worked_example.json",
        record=project_file("resources/published/exact_metrics.json"),
        paper=project_file("resources/published/paper.json"),
        settings=project_file("resources/published/settings.json"),
    output:
        csv="results/comparison/{cohort}/paper.csv",
        html=report(
            "results/comparison/{cohort}/paper.html",
            caption="../report/comparison_paper.rst",
            category="3 Published and reproduced",
            labels=lambda wildcards: {"stage": f"The whole paper ({COHORT_NAMES[wildcards.cohort]})"},
        ),
    log:
        "logs/compare_paper/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("compare_paper.py"),
        settings={stage: stage_settings(stage) for stage in ["exact", "model", "robustness"]},
    script:
        "../scripts/compare_paper.py"


rule write_summary:
    input:
        statistics=cohort_statistics(*STATISTICS),
        runtime=of_cohort("runtime.json"),
        metrics="results/exact/metrics.json",
        comparison="results/comparison/{cohort}/paper.csv",
    output:
        html=report(
            "results/report/{cohort}/summary.html",
            caption="../report/summary.rst",
            category="0 Start here",
            labels=lambda wildcards: {"result": f"Summary ({COHORT_NAMES[wildcards.cohort]})"},
        ),
    log:
        "logs/write_summary/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("write_summary.py"),
        registry={key: entry.name for key, entry in MODELS.items()},
        benchmark=lookup(dpath="benchmark", within=config),
        transfer=lambda wildcards: wildcards.cohort in config["model_stage"]["transfer"],
    script:
        "../scripts/write_summary.py"
