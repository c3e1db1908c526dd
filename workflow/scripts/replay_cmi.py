"""Recompute CMI's tables from its recorded numbers and lay them beside the published ones."""

from pathlib import Path

from jointcore.csv_files import write_csv
from jointcore.files import read_json, write_text
from jointcore.logs import job_log
from jointcore.report.cmi_comparison import cmi_page, compare_cmi
from jointcore.statistics.cmi.paired import cmi_statistics
from jointcore.statistics.cmi.records import read_records
from jointcore.statistics.cmi.replay import memory_counts

with job_log(snakemake.log[0]):
    records = read_records(snakemake.input.questions, snakemake.input.scores, snakemake.input.interventions)
    printed = read_json(snakemake.input.printed)
    tables = cmi_statistics(records)
    comparison = compare_cmi(printed, tables["by_method"], tables["by_role"], memory_counts(records))
    for path in map(Path, snakemake.output.tables):
        write_csv(path, tables[path.stem])
    write_csv(snakemake.output.comparison, comparison)
    write_text(snakemake.output.html, cmi_page(comparison, tables, printed["source"]))
