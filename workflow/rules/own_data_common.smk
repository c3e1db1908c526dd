# What the rules of own data share: the questions, the methods and the judge, checked at the start.

from jointcore.own_data.questions import memory_files, read_questions
from jointcore.own_data.selection import own_methods

OWN = config["own_data"]
OWN_QUESTIONS = OWN["questions"] and located(OWN["questions"])

try:
    OWN_METHODS = own_methods(OWN["methods"])
    if OWN_QUESTIONS:
        OWN_JUDGE = choose_own_judge(OWN["judge"])
        read_questions(OWN_QUESTIONS, OWN["answers"])
    else:  # nobody is asked, so a models file of one's own needs no judge for it
        OWN_JUDGE = MODELS.get(OWN["judge"]) or next(iter(MODELS.values()))
except InputError as error:
    raise WorkflowError(f"config key own_data: {error}.") from None


def own_data_files():
    """What `snakemake own_data` delivers."""
    if not OWN_QUESTIONS:
        raise WorkflowError(
            "config key own_data/questions is null; name a file of questions, as config/own_data_example.yaml does."
        )
    return [
        *expand("results/own_data/{method}.parquet", method=[method.slug for method in OWN_METHODS]),
        "results/own_data/runtime.json",
        *expand("results/tables/own_data.{form}", form=["csv", "tex", "html"]),
        *expand("results/figures/own_data.{form}", form=["svg", "pdf", "csv"]),
        "results/own_data/page.html",
    ]
