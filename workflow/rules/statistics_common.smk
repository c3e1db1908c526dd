# What the rules of the statistics share: which files a cohort has, and how the report shows them.

from jointcore.statistics.cohort_statistics import NAMES as STATISTICS
from jointcore.figures.model_figure import all_figures, module_name as figure_module
from jointcore.report.model_tables import MODEL_TABLES
from jointcore.statistics.cohort import COHORT_NAMES
from jointcore.statistics.statistic import statistic_modules

#: Facts of a model that a reader is told.
MODEL_FACTS = ["name", "role", "repository", "revision", "path", "precision", "licence"]


def cohort_models(wildcards):
    """The models of the wildcard's cohort, as a reader is told of them."""
    chosen = COHORTS[wildcards.cohort]
    return {key: {fact: getattr(entry, fact) for fact in MODEL_FACTS} for key, entry in chosen.items()}


def cohort_statistics(*names):
    """Files of some statistics, and of the cohort that they are of."""
    return [
        "results/statistics/{cohort}/cohort.json",
        *(f"results/statistics/{{cohort}}/{name}.csv" for name in names),
    ]


def of_cohort(result):
    """An input function: a result of every model of the wildcard's cohort."""
    return lambda wildcards: cohort_results(wildcards.cohort, result)


def cohort_page(path, result, caption, part, category="4 Model stage"):
    """A result of a cohort in the report, in a section of the cohort's own and marked with its name."""
    return report(
        path,
        caption=f"../report/{caption}.rst",
        category=lambda wildcards: f"{category} ({COHORT_NAMES[wildcards.cohort]})",
        subcategory=part,
        labels=lambda wildcards: {
            "result": result if wildcards.cohort == "registered" else f"{result} (local)"
        },
    )


def cohort_tables():
    """Output files of the tables of a cohort."""
    files = {}
    for table, entry in MODEL_TABLES.items():
        path = f"results/tables/{{cohort}}/{table}"
        files |= {f"{table}_csv": f"{path}.csv", f"{table}_tex": f"{path}.tex"}
        files[f"{table}_html"] = cohort_page(f"{path}.html", entry.title, entry.caption, "Tables")
    return files


def published_for(wildcards):
    """The published figures where they apply: a figure of the registered cohort shows them beside this run's."""
    settings = read_yaml(ROOT / "resources" / "published" / "settings.json")
    applies = wildcards.cohort == "registered" and stage_settings("model") == settings["model"]
    return [project_file("resources/published/paper.json")] if applies else []


def statistics_files(cohort):
    """What the statistics deliver for a cohort; nothing for one without models."""
    if not COHORTS[cohort]:
        return []
    transfer = ["transfer"] if cohort in config["model_stage"]["transfer"] else []
    return [
        *(path.format(cohort=cohort) for path in cohort_statistics(*STATISTICS)),
        *expand(
            f"results/tables/{cohort}/{{table}}.{{format}}",
            table=[*MODEL_TABLES, "runtime", *transfer],
            format=["csv", "tex", "html"],
        ),
        *expand(
            f"results/figures/{cohort}/{{figure}}.{{format}}",
            figure=[figure.name for figure in all_figures()],
            format=["svg", "pdf", "csv"],
        ),
        *expand(f"results/comparison/{cohort}/paper.{{format}}", format=["csv", "html"]),
        f"results/report/{cohort}/summary.html",
        f"results/report/{cohort}/cases.html",
        "results/report/index.html",
    ]
