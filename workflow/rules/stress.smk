# Stress: every search where relevance or decisions err, with other B, with more records, and beside the fewest
# evaluations possible. `snakemake stress` runs it; nothing else depends on it.


rule evaluate_stress:
    input:
        tasks="results/benchmark/exact.parquet",
    output:
        rows="results/stress/{experiment}/{method}.parquet",
    log:
        "logs/evaluate_stress/{experiment}/{method}.log",
    wildcard_constraints:
        experiment="relevance|budgets|decisions",
        method="|".join(STRESS_METHODS),
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1500,
        runtime=120,
    params:
        code=method_code("evaluate_stress.py"),
        settings=method_settings("exact"),
        scenarios=stress_scenarios,
        stride=lambda wildcards: 1 if wildcards.experiment == "relevance" else config["stress"]["stride"],
    script:
        "../scripts/evaluate_stress.py"


rule evaluate_stress_counts:
    output:
        rows="results/stress/counts/{method}.parquet",
    log:
        "logs/evaluate_stress_counts/{method}.log",
    wildcard_constraints:
        method="|".join(STRESS_METHODS),
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1500,
        runtime=120,
    params:
        code=method_code("evaluate_stress_counts.py"),
        settings=method_settings("exact"),
        scenarios=lambda wildcards: {
            **{key: config["stress"]["counts"][key] for key in ("noise", "seeds")},
            "budget": config["selection"]["budget"],
        },
        domains=lookup(dpath="benchmark/domains", within=config),
        families=lookup(dpath="benchmark/families", within=config),
        costs=lookup(dpath="benchmark/costs", within=config),
        grid=lookup(dpath="stress/counts/grid", within=config),
    script:
        "../scripts/evaluate_stress_counts.py"


rule compute_limits:
    input:
        tasks="results/benchmark/exact.parquet",
    output:
        limits="results/stress/limits.parquet",
    log:
        "logs/compute_limits.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1500,
        runtime=120,
    params:
        code=code("compute_limits.py"),
        domains=lookup(dpath="benchmark/domains", within=config),
        families=lookup(dpath="benchmark/families", within=config),
        costs=lookup(dpath="benchmark/costs", within=config),
        stage=lookup(dpath="benchmark/exact", within=config),
        empty_set_fails=lookup(dpath="selection/empty_set_fails", within=config),
        stride=lookup(dpath="stress/stride", within=config),
    script:
        "../scripts/compute_limits.py"


rule average_stress:
    input:
        rows=stress_rows,
    output:
        csv="results/stress/{experiment}.csv",
        settings="results/stress/{experiment}.json",
    log:
        "logs/average_stress/{experiment}.log",
    wildcard_constraints:
        experiment="relevance|budgets|counts|decisions",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        code=code("average_stress.py"),
        methods=lambda wildcards: stress_methods(wildcards.experiment),
        settings=lambda wildcards: {
            **stress_scenarios(wildcards),
            "stride": config["stress"]["stride"],
            "methods": stress_methods(wildcards.experiment),
        },
    script:
        "../scripts/average_stress.py"


rule plot_stress:
    input:
        means=lambda wildcards: f"results/stress/{STRESS_FIGURES[wildcards.figure][0]}.csv",
    output:
        svg=report(
            "results/figures/stress/{figure}.svg",
            caption="../report/stress.rst",
            category="5 Stress",
            labels=lambda wildcards: {"result": STRESS_FIGURES[wildcards.figure][1]},
        ),
        pdf="results/figures/stress/{figure}.pdf",
        csv="results/figures/stress/{figure}.csv",
    log:
        "logs/plot_stress/{figure}.log",
    wildcard_constraints:
        figure="|".join(STRESS_FIGURES),
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code("plot_stress.py"),
    script:
        "../scripts/plot_stress.py"


rule plot_limits:
    input:
        means="results/stress/relevance.csv",
        limits="results/stress/limits.parquet",
    output:
        svg=report(
            "results/figures/stress/limits.svg",
            caption="../report/stress_limits.rst",
            category="5 Stress",
            labels={"result": "The fewest evaluations possible"},
        ),
        pdf="results/figures/stress/limits.pdf",
        csv="results/figures/stress/limits.csv",
    log:
        "logs/plot_limits.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code("plot_limits.py"),
    script:
        "../scripts/plot_limits.py"


rule tabulate_stress:
    input:
        means=expand("results/stress/{experiment}.csv", experiment=STRESS_EXPERIMENTS),
    output:
        csv="results/tables/stress_findings.csv",
        tex="results/tables/stress_findings.tex",
        html=report(
            "results/tables/stress_findings.html",
            caption="../report/stress_findings.rst",
            category="5 Stress",
            labels={"result": "Findings: where the anchored search asks less"},
        ),
    log:
        "logs/tabulate_stress.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_stress.py"),
        experiments=STRESS_EXPERIMENTS,
        methods=STRESS_METHODS,
    script:
        "../scripts/tabulate_stress.py"
