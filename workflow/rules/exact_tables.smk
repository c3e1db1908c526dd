# The paper's tables of the exact stage, from this run.

TABLE_LABELS = {
    "table1": {"result": "Table 1", "method": "all", "family": "all", "n": "all"},
    "table1_by_n": {"result": "Table 1 by n", "method": "all", "family": "all", "n": "each"},
    "table1_by_family": {"result": "Table 1 by family", "method": "all", "family": "each", "n": "all"},
}


rule tabulate_exact:
    input:
        metrics="results/exact/metrics.json",
    output:
        csv="results/tables/{table}.csv",
        tex="results/tables/{table}.tex",
        html=report(
            "results/tables/{table}.html",
            caption="../report/exact_table.rst",
            category="1 Exact stage",
            subcategory="Tables",
            labels=lambda wildcards: TABLE_LABELS[wildcards.table],
        ),
    log:
        "logs/tabulate_exact/{table}.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_exact.py"),
    script:
        "../scripts/tabulate_exact.py"


rule tabulate_worked_example:
    input:
        example="results/exact/worked_example.json",
    output:
        csv="results/tables/table4.csv",
        tex="results/tables/table4.tex",
        html=report(
            "results/tables/table4.html",
            caption="../report/table4.rst",
            category="2 Worked example",
            labels=example_labels("Table 4, every method"),
        ),
    log:
        "logs/tabulate_worked_example.log",
    conda:
        "../../envs/exact.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code("tabulate_worked_example.py"),
    script:
        "../scripts/tabulate_worked_example.py"
