"""Cohorts of noisy deciders, run by the evaluation's own code, for the tests of tables, figures and pages."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from evaluation.model_cases import ALWAYS_NO, SETTINGS, noisy_rule, small_tasks, study_methods
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.evaluation.answers import COMPARED_INTERFACES
from jointcore.evaluation.model_rows import Model
from jointcore.evaluation.model_run import Robustness, ShardPlan, run_shard, write_shard
from jointcore.evaluation.model_storage import PRIMARY_ROWS
from jointcore.figures.model.margins import MARGIN_COLUMNS
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.cohort_statistics import cohort_statistics
from jointcore.statistics.model_frames import read_frame, read_primary, read_robustness
from jointcore.statistics.registration import STUDY_MODELS

PAIR = ("conditional_singleton_cost", "jointcore_cost_ordered")
REGISTERED = {
    "qwen25_14b": ("Qwen", "registered"),
    "gemma4_12b_it": ("Gemma", "registered"),
    "mistral31_24b_4bit": ("Mistral", "registered"),
    "llama33_70b_4bit": ("Llama", "exploratory"),
}
LOCAL = {"tiny_b": ("Tiny B", "local"), "tiny_a": ("Tiny A", "local")}


def models(chosen):
    """What a registry says of some models."""
    return {
        key: {
            "name": name,
            "role": role,
            "revision": STUDY_MODELS[key].revision if key in STUDY_MODELS else "",
            "precision": STUDY_MODELS[key].precision if key in STUDY_MODELS else "float32",
            "repository": f"org/{key}",
        }
        for key, (name, role) in chosen.items()
    }


def cohort_of(key, chosen):
    """A cohort of some models and the study's methods."""
    return Cohort.of(key, models(chosen), {method.slug: method.name for method in study_methods()})


def write_models(folder, chosen, styles=LABEL_STYLES, tasks=None):
    """Write the files of some models, each in a folder of its own; the fourth says that no rule is ever satisfied."""
    again = Robustness(2, PAIR, COMPARED_INTERFACES, styles)
    for i, (model, (_, role)) in enumerate(chosen.items()):
        decider = ALWAYS_NO if i == 3 else noisy_rule(0.05 * i, i, {"synergy_xor": 0.3}, 0.01)
        run = run_shard(decider, tasks or small_tasks(), ShardPlan(0, 1, study_methods(), SETTINGS, again))
        own = folder / model
        own.mkdir(parents=True)
        names = ("primary", "traces", "robustness")
        write_shard(run, Model(model, role), **{name: own / f"{name}.parquet" for name in names})


@cache
def cohort_run(key="registered", count=None, styles=LABEL_STYLES):
    """The first models of a cohort, run on small tasks: cohort, frames, statistics and margins."""
    chosen = dict(list((REGISTERED if key == "registered" else LOCAL).items())[:count])
    cohort = cohort_of(key, chosen)
    with TemporaryDirectory() as folder:
        write_models(Path(folder), chosen, styles)
        files = [Path(folder) / model / "primary.parquet" for model in chosen]
        primary, robustness = read_primary(files), read_robustness([f.parent / "robustness.parquet" for f in files])
        margins = read_frame(files, PRIMARY_ROWS, MARGIN_COLUMNS)
    return SimpleNamespace(
        cohort=cohort,
        primary=primary,
        robustness=robustness,
        margins=margins,
        statistics=cohort_statistics(primary, robustness, cohort, replicates=100),
    )
