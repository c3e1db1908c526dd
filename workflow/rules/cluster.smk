# Which rules stay beside Snakemake on a cluster.


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
    compare_paper,
    write_summary,
    write_first_page,
    view_exact_cases,
    view_model_cases,
    average_stress,
    plot_stress,
    plot_limits,
    report_own_data,
    # A hub is reached from the login node only.
    prefetch_checkpoint,
