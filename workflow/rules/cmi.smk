# Causal Memory Intervention: its recorded numbers, replayed, audited and tested.


rule replay_cmi:
    input:
        questions=project_file(f"{CMI}/questions.csv"),
        scores=project_file(f"{CMI}/scores.csv"),
        interventions=project_file(f"{CMI}/interventions.csv"),
        printed=project_file(f"{CMI}/printed.json"),
    output:
        tables=expand("results/cmi/{name}.csv", name=CMI_STATISTICS),
        comparison="results/comparison/cmi.csv",
        html=report(
            "results/comparison/cmi.html",
            caption="../report/cmi.rst",
            category="9 Causal Memory Intervention",
            labels={"result": "Replay and audit"},
        ),
    log:
        "logs/replay_cmi.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("replay_cmi.py"),
    script:
        "../scripts/replay_cmi.py"


rule plot_cmi:
    input:
        questions=project_file(f"{CMI}/questions.csv"),
        scores=project_file(f"{CMI}/scores.csv"),
        interventions=project_file(f"{CMI}/interventions.csv"),
    output:
        csv="results/figures/cmi.csv",
        svg=report(
            "results/figures/cmi.svg",
            caption="../report/cmi.rst",
            category="9 Causal Memory Intervention",
            labels={"result": "Score against adoption"},
        ),
        pdf="results/figures/cmi.pdf",
    log:
        "logs/plot_cmi.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_cmi.py"),
    script:
        "../scripts/plot_cmi.py"


rule cmi:
    input:
        cmi_files(),
