# Which models run, and what their jobs depend on.

from dataclasses import asdict

from jointcore.decisions.models.choice import choose_cohort
from jointcore.decisions.models.model_file import read_models
from jointcore.decisions.catalogue import module_name as judge_module


def located(path):
    """A file that the configuration names: in the working directory, or else of this project."""
    if not Path(path).exists():
        return project_file(path)
    return str(Path(path).resolve()) if MODULE else path


def chosen_keys(cohort, keys):
    """The configured models of a cohort; the published ones do not stand in the way of another models file."""
    untouched = keys == DEFAULTS["model_stage"]["cohorts"][cohort]
    return [] if untouched and not any(key in MODELS for key in keys) else keys


try:
    MODELS = read_models(
        located(config["model_stage"]["models_file"]),
        read_yaml(ROOT / "workflow" / "schemas" / "models.schema.yaml"),
    )
    COHORTS = {
        cohort: choose_cohort(MODELS, cohort, chosen_keys(cohort, keys))
        for cohort, keys in config["model_stage"]["cohorts"].items()
    }
    MODEL_METHODS = choose_methods(config["methods"]["model"])
except InputError as error:
    raise WorkflowError(sentence(error)) from None


# Conda's environment of every rule that needs torch.
MODEL_ENVIRONMENT = f"../../envs/{config['model_stage']['environment']}.yaml"


def model_settings():
    """The settings that some method of the model stage uses."""
    offered = {**config["selection"], "cap": config["selection"]["model_cap"]}
    used = {name for method in MODEL_METHODS for name in method.uses}
    return {name: value for name, value in offered.items() if name in used}


def checkpoint(result):
    """An input function: the digests of a checkpoint that this workflow makes; nothing for one that it is given.

    Where the result is still to be made, what its job would only miss hours later is looked for now.
    """

    def digests(wildcards):
        entry = MODELS[wildcards.model]
        made = entry.path.startswith("results/") and entry.digest_manifest
        if not Path(PREFIX + result.format(**wildcards)).exists() and entry.kind == "checkpoint":
            need_torch()
            if entry.path and not made and not Path(entry.path).is_dir():
                raise WorkflowError(
                    f"model {entry.key} in {config['model_stage']['models_file']}: path {entry.path} is not a folder; "
                    "put the checkpoint there or correct the path."
                )
        return [f"{entry.path}/{entry.digest_manifest}"] if made else []

    return digests


def judge_code(script, *modules):
    """A params function: what a script can reach, and the judge that the model of the wildcard names."""
    return lambda wildcards: code(script, *modules, judge_module(MODELS[wildcards.model].kind))


def model_entry(wildcards, input):
    """What the jobs of a model depend on: its entry without what is asked of the machine."""
    entry = asdict(MODELS[wildcards.model]) | {"prompt_template": str(input.template)}
    if input.checkpoint:
        entry["path"] = str(Path(input.checkpoint[0]).parent)
    return {name: value for name, value in entry.items() if name not in ("key", "mem_mb", "runtime_minutes")}


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
