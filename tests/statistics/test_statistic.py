"""The catalogue of statistics: each is found where it is defined, and the job's code names those modules."""

from jointcore.report.catalogue import TABLES
from jointcore.report.model_tables import MODEL_TABLES
from jointcore.sources import source_files
from jointcore.statistics.cohort_statistics import NAMES
from jointcore.statistics.statistic import all_statistics, statistic_modules
from paths import PROJECT


def test_every_statistic_has_a_name_and_place_of_its_own():
    assert len(set(NAMES)) == len(NAMES) == len({found.position for found in all_statistics()})
    assert NAMES[0] == "registered_tests"


def test_the_jobs_code_reaches_every_statistic():
    script = PROJECT / "workflow" / "scripts" / "compute_statistics.py"
    reached = {path.stem for path in source_files(script, statistic_modules())}
    assert {module.rpartition(".")[2] for module in statistic_modules()} <= reached
    assert "findings" not in reached, "what only the report says reruns no statistic"


def test_a_table_has_one_name_everywhere():
    assert [name for name, entry in TABLES.items() if entry.source == "cohort"] == list(MODEL_TABLES)
    for entry in TABLES.values():
        assert (PROJECT / "workflow" / "report" / f"{entry.caption}.rst").is_file(), entry.name
