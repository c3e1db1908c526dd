# Questions about memories of your own: who decides what, which memories each decision rests on, a page to read.


rule train_tiny_text:
    input:
        template=lambda wildcards: located(MODELS["tiny_text"].prompt_template),
    output:
        expand("results/local/models/tiny_text/{file}", file=CHECKPOINT),
    log:
        "logs/train_tiny_text.log",
    conda:
        MODEL_ENVIRONMENT
    threads: OWN["local_model"]["threads"]
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("train_tiny_text.py"),
        plan=lookup(dpath="own_data/local_model", within=config),
    script:
        "../scripts/train_tiny_text.py"


rule select_own_data:
    input:
        questions=OWN_QUESTIONS or [],
        memories=memory_files(OWN_QUESTIONS) if OWN_QUESTIONS else [],
        template=located(OWN_JUDGE.prompt_template),
        checkpoint=made_checkpoint(OWN_JUDGE),
    output:
        rows=expand("results/own_data/{method}.parquet", method=[method.slug for method in OWN_METHODS]),
        cases="results/own_data/cases.json",
        runtime="results/own_data/runtime.json",
    log:
        "logs/select_own_data.log",
    conda:
        MODEL_ENVIRONMENT
    threads: OWN_JUDGE.threads
    resources:
        gpu=OWN_JUDGE.gpus,
        mem_mb=lambda wildcards, attempt: OWN_JUDGE.mem_mb * attempt,
        runtime=lambda wildcards, attempt: OWN_JUDGE.runtime_minutes * attempt,
    params:
        code=code(
            "select_own_data.py",
            judge_module(OWN_JUDGE.kind),
            *[module_name(method.slug) for method in OWN_METHODS],
        ),
        entry=lambda wildcards, input: entry_settings(OWN_JUDGE, input),
        judge=OWN["judge"],
        answers=lookup(dpath="own_data/answers", within=config),
        methods=[method.slug for method in OWN_METHODS],
        settings={name: OWN[name] for name in ("budget", "cap", "empty_set_fails")},
        relevance=lookup(dpath="own_data/relevance", within=config),
        # Every answer is kept here. No declared output, so that a failed job leaves it as it is.
        store=lambda wildcards, output: str(Path(output.cases).parent / "decisions"),
    script:
        "../scripts/select_own_data.py"


rule report_own_data:
    input:
        rows=rules.select_own_data.output.rows,
        cases="results/own_data/cases.json",
    output:
        csv="results/tables/own_data.csv",
        tex="results/tables/own_data.tex",
        html=report(
            "results/tables/own_data.html",
            caption="../report/own_data.rst",
            category="6 Own memories",
            labels={"result": "What every method keeps"},
        ),
        svg=report(
            "results/figures/own_data.svg",
            caption="../report/own_data.rst",
            category="6 Own memories",
            labels={"result": "Calls, savings, preserved decisions"},
        ),
        pdf="results/figures/own_data.pdf",
        data="results/figures/own_data.csv",
        page=report(
            "results/own_data/page.html",
            caption="../report/own_data_page.rst",
            category="6 Own memories",
            labels={"result": "Every question"},
        ),
    log:
        "logs/report_own_data.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report_own_data.py", *[module_name(method.slug) for method in OWN_METHODS]),
        methods=[method.slug for method in OWN_METHODS],
        judge=OWN_JUDGE.name,
    script:
        "../scripts/report_own_data.py"
