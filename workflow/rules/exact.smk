# The exact stage: every method with the logical rule as the judge.


rule evaluate_exact:
    input:
        tasks="results/benchmark/exact.parquet",
    output:
        outcomes="results/exact/{method}.parquet",
        traces="results/exact/traces/{method}.parquet",
    log:
        "logs/evaluate_exact/{method}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=60,
    params:
        code=method_code("evaluate_exact.py"),
        settings=method_settings("exact"),
    script:
        "../scripts/evaluate_exact.py"


rule aggregate_exact:
    input:
        outcomes=expand("results/exact/{method}.parquet", method=EXACT_METHODS),
    output:
        metrics="results/exact/metrics.json",
    log:
        "logs/aggregate_exact.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=code("aggregate_exact.py"),
        methods=EXACT_METHODS,
    script:
        "../scripts/aggregate_exact.py"


rule follow_worked_example:
    input:
        tasks="results/benchmark/exact.parquet",
        outcomes=expand("results/exact/{method}.parquet", method=EXACT_METHODS),
        traces=expand("results/exact/traces/{method}.parquet", method=EXACT_METHODS),
    output:
        example="results/exact/worked_example.json",
    log:
        "logs/follow_worked_example.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("follow_worked_example.py"),
        methods=EXACT_METHODS,
        cell=lookup(dpath="worked_example", within=config),
    script:
        "../scripts/follow_worked_example.py"
