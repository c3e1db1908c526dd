# What the rules of Retain or consolidate share.

OAS_FIGURES = ["oas_accuracy", "oas_decomposition", "oas_policies"]


def oas_files():
    """What the stage delivers."""
    return [
        "results/oas/exact.parquet",
        *expand("results/oas/{name}.csv", name=["routing", "decomposition"]),
        "results/oas/report.html",
        "results/comparison/oas.csv",
        *expand("results/figures/{figure}.{format}", figure=OAS_FIGURES, format=["csv", "svg", "pdf"]),
    ]
