# Which models run, and what their jobs depend on.

from dataclasses import asdict

from jointcore.decisions.catalogue import module_name as judge_module
from jointcore.decisions.models.choice import choose_cohort
from jointcore.decisions.models.model_file import choose_models, read_models
from jointcore.evaluation.robustness import check_methods


def located(path):
    """A file that the configuration names: in the working directory, or else of this project."""
    return path if Path(path).exists() else project_file(path)


try:
    MODELS = read_models(
        located(config["model_stage"]["models_file"]),
        read_yaml(ROOT / "workflow" / "schemas" / "models.schema.yaml"),
    )
    COHORTS = {
        cohort: choose_cohort(MODELS, cohort, keys)
        for cohort, keys in config["model_stage"]["cohorts"].items()
    }
    MODEL_METHODS = choose_methods(config["methods"]["model"])
    check_methods(config["model_stage"]["robustness"]["methods"], [method.slug for method in MODEL_METHODS])
except InputError as error:
    raise WorkflowError(f"{error}.") from None


# Conda's environment of every rule that needs torch.
MODEL_ENVIRONMENT = f"../../envs/{config['model_stage']['environment']}.yaml"


def model_settings():
    """The settings that some method of the model stage uses."""
    offered = {**config["selection"], "cap": config["selection"]["model_cap"]}
    used = {name for method in MODEL_METHODS for name in method.uses}
    return {name: value for name, value in offered.items() if name in used}


def made_checkpoint(entry):
    """The digests of a checkpoint that this workflow makes; nothing for one that it is given, or a server."""
    made = entry.path.startswith("results/") and entry.digest_manifest
    return [f"{entry.path}/{entry.digest_manifest}"] if made else []


def checkpoint(wildcards):
    """An input function: :func:`made_checkpoint` of the wildcard's model."""
    return made_checkpoint(MODELS[wildcards.model])


def entry_settings(entry, input):
    """What the jobs of a model depend on: its entry without what is asked of the machine."""
    settings = asdict(entry) | {"prompt_template": str(input.template)}
    if input.checkpoint:
        settings["path"] = str(Path(input.checkpoint[0]).parent)
    return {
        name: value for name, value in settings.items() if name not in ("key", "mem_mb", "runtime_minutes")
    }


def model_entry(wildcards, input):
    """A params function: :func:`entry_settings` of the wildcard's model."""
    return entry_settings(MODELS[wildcards.model], input)


def judge_code(script, *modules):
    """A params function: what a script and the judge of the wildcard's model can reach."""
    return lambda wildcards: code(script, judge_module(MODELS[wildcards.model].kind), *modules)


def choose_own_judge(key):
    """The entry of a model that reads text memories."""
    (entry,) = choose_models(MODELS, [key])
    if entry.kind == "checkpoint":
        raise InputError(
            f"judge {key} is a checkpoint for the benchmark; give its entry kind: text_model and a prompt template for "
            "text memories, such as config/prompts/memories.yaml"
        )
    return entry


def model_shards(result):
    """An input function: a result of every shard of the wildcard's model, in order."""
    return lambda wildcards: expand(
        f"results/model/{wildcards.model}/shards/{{shard}}/{result}",
        shard=range(MODELS[wildcards.model].shards),
    )


def cohort_results(cohort, result):
    """A result of every model of a cohort, in its order."""
    return [f"results/model/{key}/{result}" for key in COHORTS[cohort]]


def own_primary(wildcards, input):
    """The primary run of the wildcard's model among those of its cohort."""
    return input.primary[list(COHORTS[wildcards.cohort]).index(wildcards.model)]


def model_stage_files(cohort):
    """What the model stage delivers for a cohort."""
    return [
        *(
            path
            for result in ("primary.parquet", "robustness.parquet", "traces.parquet", "runtime.json")
            for path in cohort_results(cohort, result)
        ),
        *([f"results/transfer/{cohort}.parquet"] if cohort in config["model_stage"]["transfer"] else []),
    ]
