# What is asked: the grids of JointCoreBench.


rule generate_grid:
    output:
        tasks="results/benchmark/{grid}.parquet",
    log:
        "logs/generate_grid/{grid}.log",
    wildcard_constraints:
        grid="exact|model",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=60,
    params:
        code=code("generate_grid.py"),
        domains=lookup(dpath="benchmark/domains", within=config),
        families=lookup(dpath="benchmark/families", within=config),
        costs=lookup(dpath="benchmark/costs", within=config),
        stage=lookup(dpath="benchmark/{grid}", within=config),
    script:
        "../scripts/generate_grid.py"


rule select_subset:
    input:
        tasks="results/benchmark/model.parquet",
    output:
        tasks="results/benchmark/{grid}.parquet",
    log:
        "logs/select_subset/{grid}.log",
    wildcard_constraints:
        grid="robustness|development",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code("select_subset.py"),
        size=lookup(dpath="benchmark/subsets/{grid}", within=config),
    script:
        "../scripts/select_subset.py"
