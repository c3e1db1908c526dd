# What the rules of the report's pages share.

import subprocess

from jointcore.statistics.cohort import COHORT_NAMES

#: Result of the exact stage to its name among the first page's links, in the paper's order.
EXACT_LINKS = {
    "tables/table1.html": "Table 1, exact stage",
    "tables/table1_by_n.html": "Table 1 by n",
    "tables/table1_by_family.html": "Table 1 by family",
    "figures/evaluations_by_n.svg": "Evaluations against n",
    "figures/figure1_worked_example.svg": "Figure 1, trace of JointCore",
    "tables/table4.html": "Table 4, worked example",
    "comparison/exact.html": "Published and reproduced, exact stage",
    "report/cases.html": "Cases of the exact stage",
}
#: The same of a cohort of the model stage.
COHORT_LINKS = {
    "report/{cohort}/summary.html": "Summary",
    "tables/{cohort}/table2.html": "Table 2, models",
    "figures/{cohort}/figure2.svg": "Figure 2, queries",
    "figures/{cohort}/figure3.svg": "Figure 3, families",
    "figures/{cohort}/figure4.svg": "Figure 4, robustness",
    "tables/{cohort}/table5.html": "Table 5, queries",
    "comparison/{cohort}/paper.html": "Published and reproduced, whole paper",
    "report/{cohort}/cases.html": "Cases",
}


def commit():
    """The commit of this checkout; a copy without one says so."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown (not a git checkout)"
    return done.stdout.strip()


def shown_cohorts():
    """The cohorts of the first page: those of this run's stages and targets, and those whose statistics are there."""
    targets = {str(target) for target in workflow.dag_settings.targets}
    asked = {"registered": "model_study", "local": "local_study"}
    return [
        cohort
        for cohort, models in COHORTS.items()
        if models
        and (
            cohort in config["stages"]
            or asked[cohort] in targets
            or Path(f"results/statistics/{cohort}/cohort.json").exists()
        )
    ]


def first_page_links():
    """Name to target, seen from the first page, of the results that a reader can open."""
    links = {name: f"../{path}" for path, name in EXACT_LINKS.items()}
    for cohort in shown_cohorts():
        links |= {
            f"{name} ({COHORT_NAMES[cohort]})": f"../{path.format(cohort=cohort)}"
            for path, name in COHORT_LINKS.items()
        }
    return links
