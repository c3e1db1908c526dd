# Published beside reproduced: the exact stage.


rule compare_exact:
    input:
        metrics="results/exact/metrics.json",
        example="results/exact/worked_example.json",
        record=project_file("resources/published/exact_metrics.json"),
        paper=project_file("resources/published/paper.json"),
        settings=project_file("resources/published/settings.json"),
    output:
        csv="results/comparison/exact.csv",
        digest="results/comparison/exact_digest.json",
        html=report(
            "results/comparison/exact.html",
            caption="../report/comparison_exact.rst",
            category="3 Published and reproduced",
            labels={"stage": "Exact stage"},
        ),
    log:
        "logs/compare_exact.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("compare_exact.py"),
        settings=stage_settings("exact"),
    script:
        "../scripts/compare_exact.py"
