"""The call for a user's own memory: what it asks, what it returns, and that a result is whatever ends it."""

import asyncio
import json
import os
import subprocess
import sys
import time

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jointcore
from evaluation.model_cases import LOGICAL, SETTINGS, study_tasks
from jointcore.bitsets import bitset, members
from jointcore.evaluation.loop import run_method
from jointcore.logic.oracle import RULES, rule_of
from jointcore.selection.catalogue import load_method
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import Cell
from own.cases import QUERY, TEXTS, Counting, as_judge, as_memories, minimum_hitting_size
from paths import PROJECT


def test_the_memories_that_a_decision_rests_on():
    judge = Counting()
    result = jointcore.select(TEXTS, judge, QUERY, relevance="bm25")
    assert (result.kept, result.dropped, result.decision) == ([1], [0, 2, 3, 4, 5], "WAIT")
    assert result.kept_decision == "WAIT"
    assert result.preserved
    assert result.complete
    assert result.reason == ""
    assert result.calls == len(judge.sets) == len(result.trace)
    assert judge.sets[0] == TEXTS
    assert all(asked == [text for text in TEXTS if text in asked] for asked in judge.sets)
    assert (result.cost, result.saved, result.cost_unit) == (31, 25, "words")


def test_every_kept_memory_has_two_decided_sets_that_show_it():
    result = jointcore.select(TEXTS, Counting(), QUERY)
    for name, (with_it, without_it) in result.evidence.items():
        larger, smaller = result.trace[with_it], result.trace[without_it]
        assert set(larger.retained) - set(smaller.retained) == {name}
        assert larger.same
        assert not smaller.same
    assert list(result.evidence) == result.kept


def test_ids_are_returned_in_order_and_a_judge_sees_the_items_as_given():
    items = [{"id": f"m{i}", "text": text, "extra": i} for i, text in enumerate(TEXTS)]
    seen = []
    result = jointcore.select(items, lambda kept: seen.append(kept) or any("frozen" in m["text"] for m in kept), QUERY)
    assert result.kept == ["m1"]
    assert result.dropped == ["m0", "m2", "m3", "m4", "m5"]
    assert all(item in items for item in seen[0])
    assert result.memories[2].metadata == {"extra": 2}


def test_a_judge_is_given_the_query_where_it_asks_for_it():
    def judge(retained, query):
        return (query, len(retained) > 3)

    assert jointcore.select(TEXTS, judge, QUERY).decision == (QUERY, True)


def test_one_memory_and_a_decision_that_needs_none():
    assert jointcore.select(["a"], lambda kept: len(kept)).kept == [0]
    result = jointcore.select(["a"], lambda kept: "same")
    assert (result.kept, result.dropped, result.calls, result.complete) == ([], [0], 2, True)


@pytest.mark.parametrize("slug", ["jointcore_anchored", "jointcore_cost_ordered", "quickxplain", "ddmin", "probdd"])
def test_the_benchmark_as_texts_is_asked_and_selected_as_by_the_workflow(slug):
    method = load_method(slug)
    for task in study_tasks():
        question = task.question
        run = run_method(method, question, LOGICAL, SETTINGS)
        # The workflow's cap counts evaluations, the call's counts full memory too.
        result = jointcore.select(
            as_memories(question), as_judge(question), method=slug, cap=SETTINGS["cap"] + 1, name=question.id
        )
        asked = [question.everything, *(step.probe.retained for step in run.trace.steps)]
        assert [bitset(call.retained) for call in result.trace] == list(dict.fromkeys([*asked, run.retained]))
        assert bitset(result.kept) == run.retained
        assert result.decision == run.reference.action


def test_what_overturns_is_a_smallest_hitting_set_or_close_to_it():
    smallest, found = 0, 0
    for task in study_tasks():
        question, judge = task.question, as_judge(task.question)
        result = jointcore.overturn(as_memories(question), judge)
        assert result.complete
        assert result.kept_decision != result.decision
        removed = bitset(result.found)
        sufficient = rule_of(question)
        assert not sufficient(question.everything & ~removed)
        # Minimal: putting any one of them back restores the decision.
        assert all(sufficient(question.everything & ~(removed & ~(1 << i))) for i in members(removed))
        sets = tuple(tuple(s) for s in RULES[task.family].minimal_sets(task.support))
        least = minimum_hitting_size(sets, len(question.records))
        assert len(result.found) >= least
        assert set(result.evidence) == set(result.found)
        smallest, found = smallest + least, found + len(result.found)
    assert found == smallest


def test_what_cannot_be_overturned_is_said():
    result = jointcore.overturn(TEXTS, lambda kept: "same", QUERY)
    assert (result.dropped, result.complete, result.calls) == ([], True, 2)
    assert "removing memories cannot change it" in result.warnings[0]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.sets(st.integers(0, n - 1), min_size=1), min_size=1, max_size=3))
    ),
    st.sampled_from(["jointcore_anchored", "quickxplain", "ddmin"]),
)
def test_whatever_the_rule_the_kept_memories_suffice_and_each_is_needed(case, slug):
    count, groups = case
    rule = lambda kept: any(group <= set(kept) for group in groups)  # noqa: E731
    memories = [{"id": i, "text": "x", "cost": 1 + i % 3} for i in range(count)]
    result = jointcore.select(memories, lambda kept: rule([item["id"] for item in kept]), method=slug)
    assert rule(result.kept)
    assert not any(rule(set(result.kept) - {i}) for i in result.kept)
    overturned = jointcore.overturn(memories, lambda kept: rule([item["id"] for item in kept]), method=slug)
    left = set(range(count)) - set(overturned.found)
    assert not rule(left)
    assert all(rule(left | {i}) for i in overturned.found)


def test_an_async_judge_is_asked_side_by_side_inside_a_running_loop_too():
    most = now = 0

    async def judge(retained):
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.002)
        now -= 1
        return any("frozen" in text for text in retained)

    async def notebook():
        return jointcore.select(TEXTS, judge, QUERY, method="independent_leave_one_out", concurrency=3)

    assert asyncio.run(notebook()).kept == [1]
    assert most == 3


def test_a_margin_is_part_of_the_trace_and_signed_by_the_decision_on_full_memory():
    def judge(retained):
        frozen = any("frozen" in text for text in retained)
        return jointcore.WithMargin("WAIT" if frozen else "GO", 0.25)

    trace = jointcore.select(TEXTS, judge, QUERY).trace
    assert {(call.same, call.margin) for call in trace} == {(True, 0.25), (False, -0.25)}


@pytest.mark.parametrize(
    ("normalise", "answers", "said"),
    [
        (["case", "whitespace"], None, [" WAIT  now", "wait now"]),
        ("json:action", None, ['{"action": "WAIT", "why": 1}', {"action": "WAIT"}]),
        (None, ["WAIT", "GO"], ["**Wait.**", "wait\nbecause it is frozen"]),
        (lambda text: text[0], None, ["Wait", "Waited"]),
    ],
)
def test_decisions_are_compared_after_normalising(normalise, answers, said):
    def judge(retained):
        if not any("frozen" in text for text in retained):
            return {"action": "GO"} if normalise == "json:action" else "GO"
        return said[len(retained) < len(TEXTS)]

    result = jointcore.select(TEXTS, judge, QUERY, normalise=normalise, answers=answers)
    assert result.kept == [1]
    assert result.preserved


def test_an_answer_that_is_none_of_the_given_ones_is_invalid_and_said():
    def judge(retained):
        return "WAIT" if any("frozen" in text for text in retained) else "cannot tell"

    result = jointcore.select(TEXTS, judge, QUERY, answers=["WAIT", "GO"])
    assert result.kept == [1]
    assert "got no valid decision" in result.warnings[0]
    assert any("is none of WAIT, GO" in call.reason for call in result.trace)


def test_the_cap_ends_a_search_with_what_is_known():
    judge = Counting()
    result = jointcore.select(TEXTS, judge, QUERY, method="quickxplain", cap=3)
    assert not result.complete
    assert "cap" in result.reason
    assert result.calls == len(judge.sets) == 3
    known = [call.retained for call in result.trace if call.same]
    assert tuple(result.kept) in known
    assert 1 in result.kept
    for cap in range(1, 9):
        counted = Counting()
        jointcore.compare(TEXTS, counted, QUERY, cap=cap)
        assert len(counted.sets) <= cap


@pytest.mark.parametrize("failure", [RuntimeError("the server is gone"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_judge_that_raises_or_ctrl_c_leaves_a_partial_result(failure, after):
    judge = Counting()

    def failing(retained):
        if len(judge.sets) == after:
            raise failure
        return judge(retained)

    result = jointcore.select(TEXTS, failing, QUERY)
    assert not result.complete
    expected = (
        "the run was interrupted" if isinstance(failure, KeyboardInterrupt) else "RuntimeError: the server is gone"
    )
    assert expected in result.reason
    assert result.calls == after + 1
    assert result.decision == (None if after == 0 else "WAIT")
    assert 1 in result.kept


def test_answers_of_a_batch_are_kept_when_another_one_fails():
    async def judge(retained):
        if len(retained) < len(TEXTS) and TEXTS[2] not in retained:
            raise RuntimeError("down")
        return len(retained) > 0

    result = jointcore.select(TEXTS, judge, QUERY, method="independent_leave_one_out")
    assert "down" in result.reason
    assert len(result.trace) == len(TEXTS)
    assert result.calls == len(TEXTS) + 1


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, "returned None on 6 of 6 memories"),
        ([1], "list on 6 of 6 memories, which is not hashable"),
        (float("nan"), "equals nothing"),
    ],
)
def test_what_is_no_decision_ends_the_search_with_the_remedy(said, expected):
    result = jointcore.select(TEXTS, lambda kept: said, QUERY)
    assert expected in result.reason
    assert result.calls == 1
    assert result.kept == list(range(6))
    result = jointcore.select(TEXTS, lambda kept: "ok" if len(kept) == 6 else said, QUERY)
    assert not result.complete
    assert result.decision == "ok"


def test_a_judge_that_does_not_repeat_itself_is_said():
    answers = iter(range(100))
    result = jointcore.select(TEXTS, lambda kept: next(answers), QUERY, ask_twice=True)
    assert result.repeated is False
    assert "asked twice" in " ".join(result.warnings)
    judge = Counting()
    assert jointcore.select(TEXTS, judge, QUERY, ask_twice=True).repeated is True
    assert judge.sets[0] == judge.sets[1] == TEXTS


def test_methods_are_compared_with_one_memo():
    judge = Counting()
    found = jointcore.compare(TEXTS, judge, QUERY, methods=["jointcore_anchored", "quickxplain", "semantic_top_b"])
    assert found.calls == len(judge.sets) < sum(result.calls for result in found)
    assert len({tuple(asked) for asked in judge.sets}) == len(judge.sets)
    alone = jointcore.select(TEXTS, Counting(), QUERY, method="quickxplain")
    assert found["quickxplain"].calls == alone.calls
    assert found["quickxplain"].kept == alone.kept
    assert list(found.to_frame()["method"]) == ["jointcore_anchored", "quickxplain", "semantic_top_b"]


def named_judge(retained):
    """A judge with a name, for the store."""
    return ("frozen", any("frozen" in text for text in retained))


def test_a_store_answers_what_was_asked_before(tmp_path):
    first = jointcore.select(TEXTS, named_judge, QUERY, store=tmp_path / "s")
    again = jointcore.select(TEXTS, named_judge, QUERY, store=tmp_path / "s")
    assert first.calls > 0 == again.calls
    assert again.kept == first.kept
    assert again.decision == ("frozen", True)
    assert {call.source for call in again.trace} == {"store"}
    assert jointcore.select(TEXTS, named_judge, "Another query", store=tmp_path / "s").calls > 0
    assert jointcore.select(TEXTS, lambda k: 1, QUERY, store=tmp_path / "s", judge_name="other").calls > 0
    # A torn last line, as after a kill, is asked again; what is whole stays.
    for path in (tmp_path / "s").iterdir():
        path.write_bytes(path.read_bytes()[:-5])
    assert 0 < jointcore.select(TEXTS, named_judge, QUERY, store=tmp_path / "s").calls < first.calls


def test_what_a_store_cannot_hold_or_name_is_said(tmp_path):
    with pytest.raises(jointcore.InputError, match="give judge_name"):
        jointcore.select(TEXTS, lambda kept: 1, QUERY, store=tmp_path / "s")
    result = jointcore.select(TEXTS, lambda kept: frozenset(kept), QUERY, store=tmp_path / "t", judge_name="x")
    assert "a store cannot hold" in result.reason


def test_a_result_as_table_json_and_page(tmp_path):
    memories = pd.DataFrame({"text": TEXTS, "id": list("abcdef"), "role": ["user", None, None, None, None, "bot"]})
    for call in (jointcore.select, jointcore.overturn):
        result = call(memories, lambda kept: any("frozen" in row["text"] for row in kept), QUERY)
        frame = result.to_frame()
        assert list(frame.loc[frame["kept"], "id"]) == result.kept
        content = json.loads(result.to_json(tmp_path / "r.json"))
        assert content == json.loads((tmp_path / "r.json").read_text())
        assert content["kept"] == result.kept
        assert content["memories"][0]["role"] == "user"
        result.save_html(tmp_path / "r.html")
        page = (tmp_path / "r.html").read_text()
        assert "http" not in page.split("<script")[0]
        assert "calls of the judge" in page
        assert result._repr_html_().startswith("<iframe")


@pytest.mark.parametrize("family", ["single_variable", "threshold", "proxy_confounded", "synergy_xor"])
def test_ten_thousand_memories_take_few_calls_and_little_time(family):
    question = generate_task(Cell("calendar", family, 10_000, 4, 1, 0), 7).question
    sufficient, memories = rule_of(question), as_memories(question)
    beside = 0.0

    def judge(retained):
        nonlocal beside
        start = time.process_time()
        decision = sufficient(bitset(item["id"] for item in retained))
        beside += time.process_time() - start
        return decision

    start = time.process_time()
    result = jointcore.select(memories, judge)
    assert time.process_time() - start - beside < 2
    assert result.complete
    assert result.calls < 20
    assert sufficient(bitset(result.kept))


def test_the_overhead_of_a_call_is_below_a_millisecond():
    memories = [{"id": i, "text": "x", "relevance": 1 / (i + 1)} for i in range(200)]
    start = time.process_time()
    result = jointcore.select(
        memories, lambda kept: sum(item["id"] for item in kept), method="independent_leave_one_out"
    )
    assert (time.process_time() - start) / result.calls < 0.001


def test_importing_costs_little_and_brings_no_heavy_library():
    code = (
        "import sys, time; t = time.perf_counter(); import jointcore; took = time.perf_counter() - t;"
        "print(took < 0.3, {'torch', 'pandas', 'numpy', 'matplotlib'} & set(sys.modules));"
        "jointcore.select(['a', 'b'], len); print('torch' in sys.modules, 'pandas' in sys.modules)"
    )
    there = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=there)
    assert done.stdout.split("\n")[:2] == ["True set()", "False False"]


def test_what_is_public_is_found():
    for name in jointcore.__all__:
        assert getattr(jointcore, name) is not None
    assert set(jointcore.__all__) <= set(dir(jointcore))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        jointcore.nonsense  # noqa: B018
