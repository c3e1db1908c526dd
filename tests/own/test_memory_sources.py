"""What other products export: small made-up documents in the real schema, with each known defect."""

import json
import warnings

import pytest

import jointcore
from jointcore.errors import InputError
from jointcore.memories.exports import SOURCES, Case, read_cases


def read(document, source, case=None):
    """Memories and what is said, with the warnings caught."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = jointcore.read_memories(document, source, case)
    assert [str(warning.message) for warning in caught] == list(found.warnings)
    return found, " | ".join(found.warnings)


def mem0_item(number, **more):
    return {
        "id": f"u{number}",
        "memory": f"Likes tea number {number}",
        "hash": "0f",
        "metadata": {"category": "food"},
        "created_at": "2026-01-02T03:04:05",
        "updated_at": None,
        "user_id": "alice",
        **more,
    }


def test_mem0():
    found, said = read(
        {"results": [mem0_item(1), mem0_item(2, expiration_date="2026-02-01"), mem0_item(3, memory="")]}, "mem0"
    )
    assert [(item.id, item.text, item.time) for item in found] == [
        ("u1", "Likes tea number 1", "2026-01-02T03:04:05"),
        ("u2", "Likes tea number 2", "2026-01-02T03:04:05"),
    ]
    assert found[0].metadata["owner"] == "alice"
    assert found[1].metadata["flags"] == ["given an expiry date"]
    assert "an expiry date are kept, with a flag in their metadata (1: u2)" in said
    assert "without a text are left out (1: u3)" in said


@pytest.mark.parametrize("count", [20, 100])
def test_mem0_stops_without_a_word(count):
    assert f"exactly {count} memories" in read([mem0_item(i) for i in range(count)], "mem0")[1]
    assert read([mem0_item(i) for i in range(count + 1)], "mem0")[1] == ""


def test_letta_passages():
    rows = [
        {"id": "p1", "text": "Prefers trains.", "created_at": "2026-01-01", "tags": ["travel"], "is_deleted": False},
        {"id": "p2", "text": "Prefers cars.", "archive_id": "a1", "is_deleted": True},
    ]
    found, said = read(rows, "letta")
    assert [item.id for item in found] == ["p1", "p2"]
    assert found[0].metadata["tags"] == ["travel"]
    assert found[1].metadata["flags"] == ["deleted"]
    assert "deleted are kept, with a flag in their metadata (1: p2)" in said


def agent(name, count):
    messages = [
        {"id": f"{name}{i}", "role": "user", "content": [{"type": "text", "text": f"message {i}"}]}
        for i in range(count)
    ]
    return {"id": name, "block_ids": ["b1"], "messages": messages}


def test_letta_agent_file(tmp_path):
    blocks = [{"id": "b1", "label": "human", "value": "Alice, a pilot"}, {"id": "b2", "label": "other", "value": "x"}]
    path = tmp_path / "a.af"
    path.write_text(json.dumps({"agents": [agent("one", 2), agent("two", 50)], "blocks": blocks}))
    found, said = read(path, "letta_agent_file", case="one")
    assert [(item.id, item.role, item.text) for item in found] == [
        ("b1", "human", "Alice, a pilot"),
        ("one0", "user", "message 0"),
        ("one1", "user", "message 1"),
    ]
    assert "holds no passages" in said
    assert "the most that a file holds, may have had more (1: two)" in said


def test_zep_and_graphiti():
    rows = [
        {
            "uuid": "e1",
            "fact": "Alice lives in Rome",
            "valid_at": "2026-01-01",
            "created_at": "2026-02-01",
            "user_uuid": "u",
        },
        {"uuid": "e2", "fact": "Alice lives in Oslo", "created_at": "2025-02-01", "invalid_at": "2026-01-01"},
        {"uuid": "e3", "fact": "Alice lives in Bonn", "expired_at": "2024-01-01", "group_id": "g", "episodes": ["x"]},
    ]
    found, said = read({"edges": rows}, "zep")
    assert [(item.id, item.time) for item in found] == [("e1", "2026-01-01"), ("e2", "2025-02-01"), ("e3", None)]
    assert (found[0].metadata["owner"], found[2].metadata["owner"]) == ("u", "g")
    assert "no longer valid are kept, with a flag in their metadata (1: e2)" in said
    assert "expired are kept, with a flag in their metadata (1: e3)" in said


def test_langgraph_and_langmem():
    rows = [
        {"namespace": ["users", "a"], "key": "k1", "value": {"kind": "Memory", "content": {"content": "Likes tea"}}},
        {"namespace": ["users", "b"], "key": "k1", "value": {"content": "Likes rum"}, "created_at": "2026-01-01"},
        {"namespace": ["users", "a"], "key": "k2", "value": {"diet": "vegan"}},
        {"namespace": ["users", "a"], "key": "k3", "value": {}},
    ]
    found, said = read(rows, "langgraph")
    assert [(item.id, item.text) for item in found] == [
        ("users/a/k1", "Likes tea"),
        ("users/b/k1", "Likes rum"),
        ("k2", '{"diet": "vegan"}'),
    ]
    assert found[0].metadata["owner"] == "users/a"
    assert "occur in several namespaces" in said
    assert "read as JSON (1: k2)" in said
    assert "left out (1: k3)" in said


def test_a_mem():
    notes = {
        "n1": {"content": "Tea at noon", "timestamp": "202601021304", "keywords": ["tea"], "links": ["n2"]},
        "n2": {"content": "Rum at noon", "timestamp": "yesterday"},
    }
    found, said = read(notes, "a_mem")
    assert [(item.id, item.time) for item in found] == [("n1", "2026-01-02 13:04"), ("n2", "yesterday")]
    assert found[0].metadata == {"keywords": ["tea"], "links": ["n2"]}
    assert "not YYYYMMDDHHMM are kept as they are (1: n2)" in said


def test_chat_messages():
    rows = [
        {"role": "user", "content": "Is it raining?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"function": {"name": "weather", "arguments": '{"at": "Rome"}'}}],
        },
        {"role": "tool", "content": "rain", "tool_call_id": "c1"},
        {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": ""},
    ]
    found, said = read({"messages": rows}, "chat")
    assert [item.text for item in found] == [
        "Is it raining?",
        '[calls weather({"at": "Rome"})]',
        "rain",
        "Look\n[image_url]",
    ]
    assert [item.role for item in found] == ["user", "assistant", "tool", "user"]
    assert found.names == [0, 1, 2, 3]
    assert "no text are named in their place (1: message 3)" in said
    assert "left out (1: message 4)" in said


def locomo_sample():
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I moved to Rome."},
        {
            "speaker": "Bo",
            "dia_id": "D1:2",
            "text": "Nice!",
            "blip_caption": "a street",
            "img_url": ["x"],
            "query": "street",
        },
    ]
    conversation = {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "I have a cat."}],
        "session_2_date_time": "2:00 pm on 9 May, 2023",
        "session_1": turns,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_3_date_time": "3:00 pm on 10 May, 2023",
    }
    asked = [
        {"question": "Where?", "answer": "Rome", "evidence": ["D1:1"], "category": 4},
        {"question": "Year?", "answer": 2023, "evidence": ["D1:1; D2:1", "D"], "category": 2},
        {"question": "Dog?", "adversarial_answer": "a dog", "evidence": ["D9:9"], "category": 5},
        {"question": "Where?", "answer": "Rome", "evidence": [], "category": 1},
    ]
    return {"sample_id": "conv-1", "conversation": conversation, "qa": asked, "observation": {}, "session_summary": {}}


def test_locomo():
    cases, said = read_cases([locomo_sample()], "locomo")
    assert [(case.id, case.query) for case in cases] == [
        ("conv-1/q0", "Where?"),
        ("conv-1/q1", "Year?"),
        ("conv-1/q2", "Dog?"),
        ("conv-1/q3", "Where?"),
    ]
    assert cases[1].about["answer"] == "2023"
    assert cases[1].about["evidence"] == ["D1:1", "D2:1"]
    assert cases[2].about == {"answer": None, "adversarial_answer": "a dog", "evidence": [], "category": "adversarial"}
    told = " | ".join(said)
    for sentence in (
        "dates of sessions that do not exist (1: conv-1)",
        "without an answer; adversarial ones have adversarial_answer instead (1: conv-1/q2)",
        "answers that are no text are read as text (1: conv-1/q1)",
        "questions without evidence (1: conv-1/q3)",
        "not one id of a turn; the ids in it are taken (2: conv-1/q1 'D1:1; D2:1', conv-1/q1 'D')",
        "names a turn which does not exist (1: conv-1/q2 D9:9)",
        "asked again in the same conversation (1: conv-1/q3)",
    ):
        assert sentence in told
    found, _ = read([locomo_sample()], "locomo", case="conv-1/q0")
    assert [item.id for item in found] == ["D1:1", "D1:2", "D2:1"]
    assert found[1].text == "Bo: Nice! [shows a street]"
    with pytest.raises(InputError, match="holds 4 cases; choose one with case, such as 'conv-1/q0'"):
        jointcore.read_memories([locomo_sample()], "locomo")
    with pytest.raises(InputError, match="has no case 'x'"):
        jointcore.read_memories([locomo_sample()], "locomo", "x")


def test_the_question_of_a_source_is_asked_where_no_other_is():
    with pytest.warns(UserWarning, match="the export: "):
        result = jointcore.select([locomo_sample()], lambda kept: len(kept) > 1, source="locomo", case="conv-1/q0")
    assert result.query == "Where?"
    assert result.warnings[0].startswith("the export: ")


def longmemeval_row(name="q1_abs", answer=3):
    return {
        "question_id": name,
        "question_type": "multi-session",
        "question": "How many cats?",
        "answer": answer,
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": ["s2", "s1", "s1"],
        "haystack_dates": ["2023/05/30 (Tue) 23:17", "2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I got a third cat.", "has_answer": True},
                {"role": "assistant", "content": ""},
            ],
            [{"role": "user", "content": "I have two cats.", "has_answer": True}],
            [{"role": "user", "content": "Hello.", "has_answer": False}],
        ],
        "answer_session_ids": ["s2", "s1"],
    }


def test_longmemeval():
    cases, said = read_cases([longmemeval_row()], "longmemeval")
    assert [memory["id"] for memory in cases[0].memories] == ["s1/0", "s1#2/0", "s2/0"]
    assert cases[0].about["needed"] == ["s1/0", "s2/0"]
    assert (cases[0].about["answer"], cases[0].about["abstain"]) == ("3", True)
    assert not any("has_answer" in str(memory) for memory in cases[0].memories)
    told = " | ".join(said)
    for sentence in ("order of their dates are sorted (1: q1_abs)", "occurs again", "read as text", "left out"):
        assert sentence in told
    broken = longmemeval_row()
    del broken["haystack_dates"]
    with pytest.raises(InputError, match="question q1_abs lacks haystack_dates"):
        read_cases([broken], "longmemeval")


def causal_row():
    bank = [
        {"memory_id": "gold_1", "content": "The cat is called Turing.", "label": "useful", "timestamp": "t"},
        {"memory_id": "irr_1", "content": "It rained.", "causal_role": "irrelevant", "timestamp": "t", "type": "fact"},
        {"memory_id": "harm_1", "content": "The cat is called Church.", "synthetic": True, "timestamp": "t"},
    ]
    return {
        "example_id": "ex1",
        "memory_bank": bank,
        "current_task": {"instruction": "Name the cat."},
        "gold_memory_ids": ["gold_1"],
        "bad_memory_ids": ["harm_1"],
        "scoring_criteria": {"expected_answer": "Turing", "answer_aliases": ["Alan"]},
    }


def test_causal_locomo_hides_what_tells_the_roles(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps({**causal_row(), "example_id": f"ex{i}"}) + "\n" for i in range(6)))
    cases, said = read_cases(path, "causal_locomo")
    for case in cases:
        shown = json.dumps(case.memories)
        assert not any(word in shown for word in ("gold", "harm", "irr", "useful", "synthetic", "causal"))
        texts = {memory["id"]: memory["text"] for memory in case.memories}
        assert [texts[i] for i in case.about["needed"]] == ["The cat is called Turing."]
        assert [texts[i] for i in case.about["harmful"]] == ["The cat is called Church."]
    assert len({case.memories[-1]["text"] for case in cases}) > 1
    assert "holds the answer or an alias of it (6" in " ".join(said)
    assert "the same time (6" in " ".join(said)


def test_a_reader_of_ones_own():
    def lines(document, notes):
        notes.say("read line by line")
        return [Case("lines", [{"text": line} for line in document.split(";")])]

    found, said = read(["a;b"], lambda document, notes: lines(document[0], notes))
    assert [item.text for item in found] == ["a", "b"]
    assert said == "the export: read line by line"


@pytest.mark.parametrize("name", SOURCES.names())
def test_a_document_of_another_product_is_refused(name):
    for document in ({"nonsense": 1}, [3], []):
        with pytest.raises(InputError):
            jointcore.read_memories(document, name)
