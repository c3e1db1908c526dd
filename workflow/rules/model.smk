# The model stage: every method with a language model as the judge, robustness and transfer.


wildcard_constraints:
    model="|".join(MODELS),
    cohort="|".join(COHORTS),
    shard=r"\d+",


rule run_model:
    input:
        tasks="results/benchmark/model.parquet",
        template=lambda wildcards: located(MODELS[wildcards.model].prompt_template),
        checkpoint=checkpoint,
    output:
        primary="results/model/{model}/shards/{shard}/primary.parquet",
        robustness="results/model/{model}/shards/{shard}/robustness.parquet",
        traces="results/model/{model}/shards/{shard}/traces.parquet",
        runtime="results/model/{model}/shards/{shard}/runtime.json",
    log:
        "logs/run_model/{model}/{shard}.log",
    conda:
        MODEL_ENVIRONMENT
    threads: lambda wildcards: MODELS[wildcards.model].threads
    resources:
        gpu=lambda wildcards: MODELS[wildcards.model].gpus,
        mem_mb=lambda wildcards, attempt: MODELS[wildcards.model].mem_mb * attempt,
        runtime=lambda wildcards, attempt: MODELS[wildcards.model].runtime_minutes * attempt,
    params:
        code=code("run_model.py", *[module_name(method.slug) for method in MODEL_METHODS]),
        entry=model_entry,
        methods=[method.slug for method in MODEL_METHODS],
        settings=model_settings(),
        robustness={
            "stride": config["benchmark"]["subsets"]["robustness"],
            **config["model_stage"]["robustness"],
        },
        # Every answer is kept here. No declared output, so that a failed job leaves it as it is.
        store=lambda wildcards, output: str(Path(output.primary).parents[2] / "decisions"),
    script:
        "../scripts/run_model.py"


rule merge_model:
    input:
        primary=model_shards("primary.parquet"),
        robustness=model_shards("robustness.parquet"),
        traces=model_shards("traces.parquet"),
        runtime=model_shards("runtime.json"),
    output:
        primary="results/model/{model}/primary.parquet",
        robustness="results/model/{model}/robustness.parquet",
        traces="results/model/{model}/traces.parquet",
        runtime="results/model/{model}/runtime.json",
    log:
        "logs/merge_model/{model}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("merge_model.py"),
    script:
        "../scripts/merge_model.py"


rule run_transfer:
    input:
        tasks="results/benchmark/model.parquet",
        primary=lambda wildcards: cohort_results(wildcards.cohort, "primary.parquet"),
        template=lambda wildcards: located(MODELS[wildcards.model].prompt_template),
        checkpoint=checkpoint,
    output:
        transfer="results/transfer/{cohort}/{model}.parquet",
    log:
        "logs/run_transfer/{cohort}/{model}.log",
    conda:
        MODEL_ENVIRONMENT
    threads: lambda wildcards: MODELS[wildcards.model].threads
    resources:
        gpu=lambda wildcards: MODELS[wildcards.model].gpus,
        mem_mb=lambda wildcards, attempt: MODELS[wildcards.model].mem_mb * attempt,
        runtime=lambda wildcards, attempt: MODELS[wildcards.model].runtime_minutes * attempt,
    params:
        code=code("run_transfer.py"),
        entry=model_entry,
        models=lambda wildcards: list(COHORTS[wildcards.cohort]),
        methods=lookup(dpath="model_stage/robustness/methods", within=config),
        store=lambda wildcards, input: str(Path(own_primary(wildcards, input)).parent / "decisions"),
    script:
        "../scripts/run_transfer.py"


rule merge_transfer:
    input:
        transfer=lambda wildcards: [
            f"results/transfer/{wildcards.cohort}/{key}.parquet" for key in COHORTS[wildcards.cohort]
        ],
    output:
        transfer="results/transfer/{cohort}.parquet",
    log:
        "logs/merge_transfer/{cohort}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("merge_transfer.py"),
    script:
        "../scripts/merge_transfer.py"
