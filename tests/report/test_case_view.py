"""The case view: sets that show a record to be needed, and the data that a page holds."""

import base64
import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointcore.errors import InputError
from jointcore.report.case_view import case_page, case_view, needed_sets


def step(tested, same, group=(), dropped=(), **more):
    return {"tested": tested, "group": group, "dropped": dropped, "same": same, **more}


def case(**changes):
    method = {
        "name": "JointCore",
        "kept": [0, 2],
        "calls": 2,
        "decision": "EXECUTE",
        "steps": [
            step([0, 2], True, [1], [1], margin=0.25, decision="EXECUTE"),
            step([2], False, [0], margin=-1.0, decision="HOLD"),
        ],
        "needed": {0: [[0, 2], [2]]},
        "marks": ["not minimal"],
    }
    records = [{"id": i, "text": f"record {i}", "cost": 3, "relevance": 0.5, "kept": i != 1} for i in range(3)]
    return {
        "title": "</script> & first",
        "condition": "all",
        "records": records,
        "methods": [method],
        "facets": {"Family": "XOR"},
        **changes,
    }


def data_of(page):
    packed = re.search(r'class="data">([^<]+)</script>', page).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_a_case_is_packed_whole():
    (found,) = data_of(case_view([case()]))["cases"]
    (method,) = found["methods"]
    assert found["title"] == "</script> & first"
    assert method["kept"] == "5"
    assert method["steps"] == [["5", "2", "2", 1, 0.25, "EXECUTE"], ["4", "1", "0", 0, -1.0, "HOLD"]]
    assert method["needed"] == {"0": ["5", "4"]}


def test_repeated_texts_are_held_once():
    found = data_of(case_view([case(details={"Prompt": "long"}), case(details={"Prompt": "long", "Rule": "short"})]))
    assert found["texts"] == ["long", "short"]
    assert found["cases"][1]["details"] == [["Prompt", 0], ["Rule", 1]]


def test_a_page_is_whole_and_always_the_same():
    page = case_page("Cases", [case()])
    assert page == case_page("Cases", [case()])
    assert page.count("<script") == page.count("</script>") == 2
    assert "http" not in page


def test_text_ids_are_records_too():
    records = [{"id": name, "text": name} for name in ("a", "b")]
    method = {"name": "mine", "kept": ["b"], "calls": 0, "steps": []}
    (found,) = data_of(case_view([case(records=records, methods=[method])]))["cases"]
    assert found["methods"][0]["kept"] == "2"


@pytest.mark.parametrize("key", ["title", "records", "methods"])
def test_a_missing_key_is_named(key):
    broken = case()
    del broken[key]
    with pytest.raises(InputError, match=repr(key)):
        case_view([broken])


def test_the_exact_set_is_preferred_as_evidence():
    steps = [step([0, 1, 2], True), step([1, 2, 3], False), step([1, 2], False), step([0], False)]
    assert needed_sets([0, 1, 2], steps) == {0: [[0, 1, 2], [1, 2]]}
    assert needed_sets([0, 1], [step([1, 3], False)]) == {0: [[0, 1], [1, 3]]}


@given(st.sets(st.integers(0, 5)), st.lists(st.tuples(st.sets(st.integers(0, 5)), st.booleans())))
def test_evidence_is_a_decided_set_that_lacks_only_the_record(kept, asked):
    found = needed_sets(sorted(kept), [step(sorted(tested), same) for tested, same in asked])
    for record, (whole, without) in found.items():
        assert set(whole) == kept
        assert record not in without
        assert kept - {record} <= set(without)
        assert (set(without), False) in asked
