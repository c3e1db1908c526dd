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


rule plot_figure2:
    input:
        statistics=cohort_statistics("summary"),
        paper=published_for,
    output:
        svg=cohort_page(
            "results/figures/{cohort}/figure2.svg",
            "Figure 2, queries",
            "figure2",
            "Figures",
        ),
        pdf="results/figures/{cohort}/figure2.pdf",
        csv=cohort_page("results/figures/{cohort}/figure2.csv", "Figure 2", "figure_data", "Figure data"),
    log:
        "logs/plot_figure2/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_figure2.py"),
    script:
        "../scripts/plot_figure2.py"


rule plot_figure3:
    input:
        statistics=cohort_statistics("pool"),
    output:
        svg=cohort_page("results/figures/{cohort}/figure3.svg", "Figure 3, families", "figure3", "Figures"),
        pdf="results/figures/{cohort}/figure3.pdf",
        csv=cohort_page("results/figures/{cohort}/figure3.csv", "Figure 3", "figure_data", "Figure data"),
    log:
        "logs/plot_figure3/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_figure3.py"),
    script:
        "../scripts/plot_figure3.py"


rule plot_figure4:
    input:
        statistics=cohort_statistics("robustness"),
    output:
        svg=cohort_page("results/figures/{cohort}/figure4.svg", "Figure 4, robustness", "figure4", "Figures"),
        pdf="results/figures/{cohort}/figure4.pdf",
        csv=cohort_page("results/figures/{cohort}/figure4.csv", "Figure 4", "figure_data", "Figure data"),
    log:
        "logs/plot_figure4/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_figure4.py"),
    script:
        "../scripts/plot_figure4.py"


rule plot_margins:
    input:
        cohort="results/statistics/{cohort}/cohort.json",
        primary=of_cohort("primary.parquet"),
    output:
        svg=cohort_page("results/figures/{cohort}/margins.svg", "Margins of decisions", "margins", "Figures"),
        pdf="results/figures/{cohort}/margins.pdf",
        csv=cohort_page(
            "results/figures/{cohort}/margins.csv", "Margins of decisions", "figure_data", "Figure data"
        ),
    log:
        "logs/plot_margins/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_margins.py"),
    script:
        "../scripts/plot_margins.py"


rule plot_queries_saved:
    input:
        statistics=cohort_statistics("by_family", "pool"),
    output:
        svg=cohort_page(
            "results/figures/{cohort}/queries_saved.svg",
            "Queries saved by family",
            "queries_saved",
            "Figures",
        ),
        pdf="results/figures/{cohort}/queries_saved.pdf",
        csv=cohort_page(
            "results/figures/{cohort}/queries_saved.csv",
            "Queries saved by family",
            "figure_data",
            "Figure data",
        ),
    log:
        "logs/plot_queries_saved/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_queries_saved.py"),
    script:
        "../scripts/plot_queries_saved.py"


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
