# What a cluster changes: which stages a run makes, which rules stay beside Snakemake, and when a run ends itself.

from jointcore.run_bounds import end_after, end_when_lost, slurm_queue


# Rules of seconds: a job of their own would wait and start for longer than it runs.
localrules:
    generate_grid,
    select_subset,
    aggregate_exact,
    follow_worked_example,
    tabulate_exact,
    tabulate_worked_example,
    plot_evaluations,
    plot_worked_example,
    compare_exact,
    merge_model,
    merge_transfer,
    tabulate_model_stage,
    tabulate_runtime,
    tabulate_transfer,
    plot_figure2,
    plot_figure3,
    plot_figure4,
    plot_margins,
    plot_queries_saved,
    compare_paper,
    write_front_page,
    average_stress,
    plot_stress,
    plot_limits,
    report_own_data,
    # A hub is reached from the login node only.
    prefetch_checkpoint,


def study_files(cohort):
    """What a cohort's study delivers."""
    return [*model_stage_files(cohort), *statistics_files(cohort)]


def chosen_files():
    """What the configured stages deliver."""
    stages = {
        "exact": exact_stage_files,
        "registered": lambda: study_files("registered"),
        "local": lambda: study_files("local"),
        "stress": stress_files,
        "own_data": own_data_files,
    }
    return [path for stage in config["stages"] for path in stages[stage]()]


def bound_run():
    """End this run at its deadline, or when SLURM has lost its jobs."""
    if config["deadline_hours"] is not None:
        end_after(config["deadline_hours"])
    if config["lost_minutes"] is not None:
        left = slurm_queue(os.getcwd())
        if left:
            print(
                f"{left} jobs of an earlier run from this folder are still in SLURM's queue. They do no harm, but ask "
                "what this run asks: squeue --me --format='%i %Z' names them, scancel ends them.",
                file=sys.stderr,
            )
        end_when_lost(config["lost_minutes"], lambda: slurm_queue(os.getcwd()))
