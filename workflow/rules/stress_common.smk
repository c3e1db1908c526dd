# What the rules of the stress experiments share.

from jointcore.tasks.grid import Grid, grid_problems

try:
    STRESS_METHODS = [method.slug for method in choose_methods(config["stress"]["methods"])]
    STRESS_METHODS += [slug for slug in config["stress"]["also"] if slug not in STRESS_METHODS]
    STRESS_METHODS = [method.slug for method in choose_methods(STRESS_METHODS)]
except ValueError as error:
    raise WorkflowError(f"config key stress/methods or stress/also: {sentence(error)}") from None

for problem in grid_problems(
    Grid.from_settings(config["benchmark"], config["stress"]["counts"]["grid"], "exact")
):
    raise WorkflowError(f"config key stress/counts/grid/{problem}.")
for family in config["stress"]["decisions"]["by_family"]:
    if family not in FAMILIES:
        raise WorkflowError(
            f"config key stress/decisions/by_family names unknown {family}; known are {', '.join(FAMILIES)}."
        )

STRESS_EXPERIMENTS = ["relevance", "budgets", "counts", "decisions"]

#: Figure, the experiment that it shows, and its title in the report.
STRESS_FIGURES = {
    "relevance": ("relevance", "Relevance that is wrong"),
    "budgets": ("budgets", "Other B"),
    "counts": ("counts", "More records"),
    "decisions": ("decisions", "Decisions that err"),
    "decisions_by_family": ("decisions", "Decisions that err, by family"),
}


def stress_methods(experiment):
    """The methods of an experiment: those that ask more than a few questions a record stay off large memories."""
    large = experiment == "counts"
    return [slug for slug in STRESS_METHODS if not (large and load_method(slug).costly)]


def stress_rows(wildcards):
    """The results of every method in the wildcard's experiment."""
    methods = stress_methods(wildcards.experiment)
    return expand("results/stress/{{experiment}}/{method}.parquet", method=methods)


def stress_scenarios(wildcards):
    """The settings from which the scenarios of the wildcard's experiment follow."""
    own = config["stress"][wildcards.experiment]
    return own if wildcards.experiment == "budgets" else {**own, "budget": config["selection"]["budget"]}


def stress_files():
    """What `snakemake stress` delivers."""
    return [
        *expand("results/stress/{experiment}.csv", experiment=STRESS_EXPERIMENTS),
        *expand("results/tables/stress_findings.{format}", format=["csv", "tex", "html"]),
        "results/stress/limits.parquet",
        *expand(
            "results/figures/stress/{figure}.{format}",
            figure=[*STRESS_FIGURES, "limits"],
            format=["svg", "pdf", "csv"],
        ),
    ]
