"""The replay of CMI's recorded numbers: printed tables, audit, tests, bad files."""

import json
import shutil

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointcore.errors import InputError
from jointcore.figures.cmi import cmi_data, draw_cmi
from jointcore.report.cmi_comparison import cmi_page, compare_cmi
from jointcore.report.verdicts import AS_PRINTED, IDENTICAL
from jointcore.statistics.cmi.audit import RULES, audit, rule_metrics
from jointcore.statistics.cmi.metrics import memory_metrics
from jointcore.statistics.cmi.paired import cmi_statistics, paired_tests
from jointcore.statistics.cmi.records import METHODS, ROLES, read_records
from jointcore.statistics.cmi.replay import MEASURES, by_family, by_method, memory_counts
from paths import PROJECT

DATA = PROJECT / "resources/published/cmi"
FILES = ("questions", "scores", "interventions")


def read(folder=DATA):
    return read_records(*(folder / f"{name}.csv" for name in FILES))


@pytest.fixture(scope="module")
def records():
    return read()


@pytest.fixture(scope="module")
def statistics(records):
    return cmi_statistics(records)


def test_every_printed_figure_is_met(records, statistics):
    printed = json.loads((DATA / "printed.json").read_text())
    found = compare_cmi(printed, statistics["by_method"], statistics["by_role"], memory_counts(records))
    assert len(found) == 77
    assert set(found["verdict"]) == {IDENTICAL, AS_PRINTED}
    assert list(found.columns) == ["place", "what", "published", "reproduced", "difference", "verdict"]


def test_a_figure_that_is_not_the_printed_one_is_called_so(records, statistics):
    printed = json.loads((DATA / "printed.json").read_text())
    printed["by_method"]["cmi"][0] = 0.847
    found = compare_cmi(printed, statistics["by_method"], statistics["by_role"], memory_counts(records))
    assert list(found["what"][found["verdict"] == "differs"]) == ["CMI: Score"]


def test_the_audit_holds_the_known_numbers(records):
    found = audit(records).set_index("finding")["value"]
    assert found["judgements that are empty and count 0"] == 155
    assert found["harmful candidates that pass both tests"] == 12
    assert found["candidates whose recorded selection is not what the rule gives"] == 0
    what = "score, questions with an empty judgement scored by the deterministic part alone"
    assert round(found[f"CMI: {what}"], 3) == 0.899
    assert round(found[f"Reflection: {what}"], 3) == 0.900
    assert round(found["CMI without the role filter: adoption"], 3) == 0.138
    assert round(found["CMI without the role filter: f1"], 3) == 0.837
    assert round(found["CMI without stability: f1"], 3) == 0.925
    assert round(found["largest adoption that is possible"], 3) == 0.621


def test_the_published_rule_gives_the_recorded_metrics_of_cmi(records):
    recorded = by_method(records).set_index("method").loc["cmi"]
    found = rule_metrics(records, "as published")
    for name, value in found.items():
        assert value == pytest.approx(recorded[name], abs=1e-12), name


def test_families_weighted_by_their_questions_are_the_whole(records):
    families, whole = by_family(records), by_method(records).set_index("method")
    assert len(families) == 4 * len(METHODS)
    for method, part in families.groupby("method"):
        for measure in MEASURES:
            mean = (part[measure] * part["questions"]).sum() / part["questions"].sum()
            assert mean == pytest.approx(whole.loc[method, measure])


def test_cmi_and_reflection_cannot_be_told_apart_by_their_answers(records):
    tests = paired_tests(records, replicates=200).set_index(["baseline", "measure"])
    assert len(tests) == 6 * 5
    for measure in ("final", "fair", "passes"):
        row = tests.loc["reflection_memory", measure]
        assert row["ci_low"] < 0 < row["ci_high"]
        assert row["p_adjusted"] == 1
    assert tests.loc["full_history", "final"]["p_adjusted"] < 0.01
    assert (tests["p_adjusted"] >= tests["p_raw"]).all()


def test_page_and_figure_show_what_was_found(records, statistics):
    printed = json.loads((DATA / "printed.json").read_text())
    found = compare_cmi(printed, statistics["by_method"], statistics["by_role"], memory_counts(records))
    page = cmi_page(found, statistics, printed["source"])
    assert "77 printed figures of CMI" in page
    assert "Reflection" in page
    data = cmi_data(records)
    assert len(data) == 2 * len(METHODS)
    assert ((data["ci_low"] <= data["mean"]) & (data["mean"] <= data["ci_high"])).all()
    assert len(draw_cmi(data).axes) == 1


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ([], {"precision": 0, "recall": 0, "f1": 0, "bad_rejection": 1, "irrelevant_rejection": 1, "adoption": 0}),
        (["u"], {"precision": 1, "recall": 1, "f1": 1, "bad_rejection": 1, "irrelevant_rejection": 1, "adoption": 0}),
        (
            ["u", "i", "j", "h"],
            {"precision": 0.25, "recall": 1, "f1": 0.4, "bad_rejection": 0, "irrelevant_rejection": 0, "adoption": 1},
        ),
        (["h"], {"precision": 0, "recall": 0, "f1": 0, "bad_rejection": 2 / 3, "adoption": 1}),
    ],
)
def test_metrics_of_cases_made_by_hand(selected, expected):
    found = memory_metrics(selected, {"u": "useful", "i": "irrelevant", "j": "irrelevant", "h": "harmful"})
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name


def test_without_harmful_memories_nothing_is_adopted_and_without_bad_ones_all_are_rejected():
    found = memory_metrics(["u"], {"u": "useful"})
    assert (found["adoption"], found["bad_rejection"], found["irrelevant_rejection"]) == (0, 1, 1)


@given(st.lists(st.sampled_from(ROLES), min_size=1, max_size=9), st.data())
def test_metrics_stay_in_their_range(roles, data):
    bank = {str(i): role for i, role in enumerate(roles)}
    selected = data.draw(st.sets(st.sampled_from(sorted(bank))))
    found = memory_metrics(selected, bank)
    assert found["selected"] == len(selected)
    assert all(0 <= value <= 1 for name, value in found.items() if name != "selected")


def test_a_role_or_memory_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="role 'gold' is unknown"):
        memory_metrics([], {"a": "gold"})
    with pytest.raises(ValueError, match="memory 'b' is selected but not in the bank"):
        memory_metrics(["b"], {"a": "useful"})


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("scores", lambda text: text.replace("judged", "judge_said", 1), "lacks the column 'judged'"),
        ("scores", lambda text: text[: len(text) // 2].rsplit("\n", 1)[0] + "\n", "rows instead of 7 for each of 87"),
        ("scores", lambda text: text.replace("vector_memory", "vectors", 1), "unknown method 'vectors'"),
        ("interventions", lambda text: text.replace(",harmful,", ",poison,", 1), "unknown role 'poison'"),
        (
            "interventions",
            lambda text: text.replace("0.6,1.0", "0.6,1.5", 1),
            "line 2 has with_memory 1.5; give a",
        ),
        ("questions", lambda text: text + text.splitlines()[1] + "\n", "twice; keep one row"),
        ("questions", lambda text: "", "is no CSV"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, name, change, sentence):
    for each in FILES:
        shutil.copy(DATA / f"{each}.csv", tmp_path)
    path = tmp_path / f"{name}.csv"
    path.write_text(change(path.read_text()))
    with pytest.raises(InputError, match=sentence) as found:
        read(tmp_path)
    assert str(path) in str(found.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"questions\.csv does not exist"):
        read(tmp_path)


def test_every_rule_selects_no_more_than_utility_alone(records):
    largest = rule_metrics(records, "utility alone")["selected"]
    assert all(rule_metrics(records, rule)["selected"] <= largest for rule in RULES)


def test_recorded_files_are_as_carried(records):
    assert [len(frame) for frame in records] == [87, 609, 261]
    assert isinstance(records.scores, pd.DataFrame)
