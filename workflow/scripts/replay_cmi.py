"""Recompute CMI's tables from its recorded numbers and lay them beside the published ones."""

import json
from pathlib import Path

from jointcore.files import write_text
from jointcore.logs import job_log
from jointcore.report.cmi_comparison import cmi_page, compare_cmi
from jointcore.statistics.cmi.paired import cmi_statistics
from jointcore.statistics.cmi.records import read_records
from jointcore.statistics.cmi.replay import memory_counts

with job_log(snakemake.log[0]):
    records = read_records(snakemake.input.questions, snakemake.input.scores, snakemake.input.interventions)
    printed = json.loads(Path(snakemake.input.printed).read_text(encoding="utf-8"))
    tables = cmi_statistics(records)
    comparison = compare_cmi(printed, tables["by_method"], tables["by_role"], memory_counts(records))
    for path in map(Path, snakemake.output.tables):
        write_text(path, tables[path.stem].to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.comparison, comparison.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.html, cmi_page(comparison, tables, printed["source"]))
