# Retain or consolidate (OAS): notes whose facts are known, every action under every budget, routers that choose.


rule evaluate_oas:
    output:
        outcomes="results/oas/exact.parquet",
    log:
        "logs/evaluate_oas.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        benchmark=lookup(dpath="oas/benchmark", within=config),
        budgets=lookup(dpath="oas/budgets", within=config),
        losses=lookup(dpath="oas/losses", within=config),
        code=code("evaluate_oas.py"),
    script:
        "../scripts/evaluate_oas.py"


rule route_oas:
    input:
        outcomes="results/oas/exact.parquet",
    output:
        routing="results/oas/routing.csv",
        decomposition="results/oas/decomposition.csv",
    log:
        "logs/route_oas.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("route_oas.py"),
    script:
        "../scripts/route_oas.py"


rule report_oas:
    input:
        routing="results/oas/routing.csv",
        decomposition="results/oas/decomposition.csv",
        published=project_file("resources/published/oas.json"),
    output:
        comparison="results/comparison/oas.csv",
        html=report(
            "results/oas/report.html",
            caption="../report/oas.rst",
            category="10 Retain or consolidate",
            labels={"result": "Policies, decomposition, published figures"},
        ),
        csv=expand("results/figures/{figure}.csv", figure=OAS_FIGURES),
        pdf=expand("results/figures/{figure}.pdf", figure=OAS_FIGURES),
        accuracy=report(
            "results/figures/oas_accuracy.svg",
            caption="../report/oas.rst",
            category="10 Retain or consolidate",
            labels={"result": "Accuracy by budget"},
        ),
        decomposition=report(
            "results/figures/oas_decomposition.svg",
            caption="../report/oas.rst",
            category="10 Retain or consolidate",
            labels={"result": "Coverage and replacement"},
        ),
        policies=report(
            "results/figures/oas_policies.svg",
            caption="../report/oas.rst",
            category="10 Retain or consolidate",
            labels={"result": "Policies and harms"},
        ),
    log:
        "logs/report_oas.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("report_oas.py"),
    script:
        "../scripts/report_oas.py"


rule oas:
    input:
        oas_files(),
