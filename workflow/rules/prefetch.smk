# Checkpoints, fetched and verified where there is a connection: `snakemake prefetch` before jobs without one.


rule prefetch:
    input:
        [
            f"results/checkpoints/{key}.json"
            for cohort in COHORTS.values()
            for key, entry in cohort.items()
            if not entry.path
        ],


rule prefetch_checkpoint:
    output:
        record="results/checkpoints/{model}.json",
    log:
        "logs/prefetch_checkpoint/{model}.log",
    conda:
        MODEL_ENVIRONMENT
    resources:
        mem_mb=2000,
        runtime=720,
    params:
        code=code("prefetch_checkpoint.py"),
        entry=lambda wildcards: asdict(MODELS[wildcards.model]),
    script:
        "../scripts/prefetch_checkpoint.py"
