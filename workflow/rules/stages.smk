# Which files a stage delivers, what the results at hand were made with, and what a run says at its start and end.

from jointcore.report.closing import closing_lines
from jointcore.run_bounds import end_after, end_when_lost, slurm_queue
from jointcore.run_output import ShortLines


def study_files(cohort):
    """What a cohort's study delivers."""
    if not COHORTS[cohort]:
        raise WorkflowError(
            f"config key model_stage/cohorts/{cohort} names no model of {config['model_stage']['models_file']}; "
            "name one, or leave this stage out."
        )
    return [*model_stage_files(cohort), *statistics_files(cohort)]


def chosen_files():
    """What the configured stages deliver."""
    stages = {
        "exact": exact_stage_files,
        "registered": lambda: study_files("registered"),
        "local": lambda: study_files("local"),
        "stress": stress_files,
        "cmi": cmi_files,
        "oas": oas_files,
        "own_data": own_data_files,
    }
    return [path for stage in config["stages"] for path in stages[stage]()]


def made_with():
    """What the results at hand were made with, for the report: it may be written under another configuration."""
    results = Path(f"{PREFIX}results")
    places = {"exact": "exact", **{cohort: f"statistics/{cohort}" for cohort in COHORTS}}
    paths = {stage: results / place / "settings.json" for stage, place in places.items()}
    made = {stage: read_json(path) for stage, path in paths.items() if path.exists()}
    return {**made, "stress": {path.stem: read_json(path) for path in sorted(results.glob("stress/*.json"))}}


def start_run():
    """Short lines on the terminal, and an end at the deadline or when SLURM has lost the jobs."""
    for handler in list(logger.handlers):
        if not isinstance(handler, logging.FileHandler):
            handler.addFilter(ShortLines(logger.info))
    scheduler = workflow.scheduler
    if config["lost_minutes"] is None:
        # Its limit of jobs a second looks at the files of all waiting jobs each second, once for every job that has
        # ended: on this machine a job waits for a core anyway.
        scheduler.job_rate_limiter = None
    if config["deadline_hours"] is not None:
        end_after(config["deadline_hours"], run_is_over)
    if config["lost_minutes"] is not None:
        left = slurm_queue(os.getcwd())
        if left:
            logger.warning(
                f"{left} jobs of an earlier run from this folder are still in SLURM's queue. They do no harm, but ask "
                "what this run asks: squeue --me --format='%i %Z' names them, scancel ends them."
            )
        end_when_lost(config["lost_minutes"], lambda: slurm_queue(os.getcwd()), run_is_over)


def run_is_over():
    """Whether every job of this run has ended."""
    return workflow.scheduler.finished_jobs >= len(workflow.dag)


def end_run():
    """Say what was found and what comes next."""
    for line in closing_lines(Path("results")):
        logger.info(line)


check_folders(f"{PREFIX}results", f"{PREFIX}logs")
try:
    config["made_with"] = made_with()
except InputError as error:
    raise WorkflowError(sentence(error)) from None
