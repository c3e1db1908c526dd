"""Every measure is declared once: what computes it, files, checks and tables take it from the catalogue."""

import pyarrow as pa

from jointcore.evaluation.exact_storage import SCHEMA
from jointcore.evaluation.measure_catalogue import CONTROL, EXACT_MEASURES, MEASURES, WITH_CONTROL
from jointcore.evaluation.measures import SetMeasures
from jointcore.evaluation.model_measures import ModelMeasures
from jointcore.evaluation.model_storage import PRIMARY_ROWS
from jointcore.report.exact_tables import table1
from jointcore.statistics.exact_means import MEASURES as RECORD
from paths import PROJECT, PUBLISHED


def test_what_computes_a_measure_names_it_as_the_catalogue_does():
    computed = {*SetMeasures._fields, *ModelMeasures._fields} - {"invalid_reason"}
    assert computed == set(WITH_CONTROL) - {"intervention_count", "budget_exhausted"}


def test_without_a_truth_exactly_the_measures_that_need_none_are_defined():
    annotations = {**SetMeasures.__annotations__, **ModelMeasures.__annotations__}
    for key, measure in WITH_CONTROL.items():
        if key in annotations and measure.needs_truth and key in ModelMeasures._fields:
            assert "None" in str(annotations[key]), key


def test_files_hold_the_measures_in_order_and_by_kind():
    names = PRIMARY_ROWS.schema.names
    assert [name for name in names if name in WITH_CONTROL] == list(WITH_CONTROL)
    assert [name for name in SCHEMA.names if name in MEASURES] == list(EXACT_MEASURES)
    for key, measure in WITH_CONTROL.items():
        assert PRIMARY_ROWS.schema.field(key).type == measure.type
    assert PRIMARY_ROWS.schema.field("intervention_count").type == pa.int32()
    assert CONTROL.key == list(WITH_CONTROL)[-1]


def test_the_published_record_has_exactly_the_measures_of_the_exact_stage():
    import json

    overall = json.loads((PUBLISHED / "exact_metrics.json").read_text())["metrics"]["overall"]
    assert set(RECORD) == set(overall["full_memory"]) - {"records"}
    means = {"m": {**dict.fromkeys(RECORD, 0.5), "records": 3}}
    method = {"slug": "m", "name": "M", "study": True, "extension": ""}
    shown = table1({"methods": [method], "families": {}, "metrics": {"overall": means}}).shown()
    assert list(shown.columns)[-1] == "Evaluations"


def test_the_documentation_names_every_measure():
    text = (PROJECT / "docs" / "statistics.md").read_text()
    for key, measure in WITH_CONTROL.items():
        assert f"| `{key}` | {measure.name} | {measure.caption} |" in text, key
