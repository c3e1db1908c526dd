# The figures of the exact stage, each with its data as CSV beside it.


rule plot_evaluations:
    input:
        metrics="results/exact/metrics.json",
    output:
        svg=report(
            "results/figures/evaluations_by_n.svg",
            caption="../report/evaluations_by_n.rst",
            category="1 Exact stage",
            subcategory="Figures",
            labels={"result": "Evaluations against n", "method": "all", "family": "all", "n": "each"},
        ),
        pdf="results/figures/evaluations_by_n.pdf",
        csv=report(
            "results/figures/evaluations_by_n.csv",
            caption="../report/figure_data.rst",
            category="1 Exact stage",
            subcategory="Figure data",
            labels={"result": "Evaluations against n"},
        ),
    log:
        "logs/plot_evaluations.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_evaluations.py"),
    script:
        "../scripts/plot_evaluations.py"


rule plot_worked_example:
    input:
        example="results/exact/worked_example.json",
    output:
        svg=report(
            "results/figures/figure1_worked_example.svg",
            caption="../report/figure1_worked_example.rst",
            category="2 Worked example",
            labels=example_labels("Figure 1, trace of JointCore"),
        ),
        pdf="results/figures/figure1_worked_example.pdf",
        csv=report(
            "results/figures/figure1_worked_example.csv",
            caption="../report/figure_data.rst",
            category="1 Exact stage",
            subcategory="Figure data",
            labels={"result": "Figure 1, trace of JointCore"},
        ),
    log:
        "logs/plot_worked_example.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("plot_worked_example.py"),
    script:
        "../scripts/plot_worked_example.py"
