"""An OpenAI-compatible endpoint as judge: against real servers, and against everything that goes wrong on the way."""

from __future__ import annotations

import json
import logging
from collections import Counter

import pytest

from decisions.questions import make_task
from jointcore import select
from jointcore.bitsets import full
from jointcore.cli import main
from jointcore.commands.select import PARTIAL
from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.endpoint.answers import by_log_probability, by_text, read_answer
from jointcore.decisions.endpoint.reply import MalformedReplyError, Reply, Token, read_reply
from jointcore.decisions.judges.endpoint import open_endpoint
from jointcore.decisions.judges.text_model import open_text_model
from jointcore.decisions.models.entry import ModelEntry
from jointcore.decisions.protocol import Query
from jointcore.decisions.store.decision_store import KIND
from jointcore.decisions.store.segments import read_segment, segment_paths
from jointcore.errors import InputError
from judges.faulty_proxy import faulty_proxy
from judges.questions import text_question
from judges.servers import free_port
from paths import PROJECT

KEY = "sk-test-0123456789abcdef"
QUESTION = text_question()
QUERIES = [Query(QUESTION, retained) for retained in range(12)] + [Query(QUESTION, full(5))]


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    """The machine's own key, if there is one, is not used."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def proxy(llama):
    """A proxy before llama.cpp's server."""
    with faulty_proxy(llama) as state:
        yield state


def judge(address, store=None, **settings):
    """The tiny model behind an address."""
    settings = {"timeout_seconds": 1.0, "max_tokens": 1, "concurrency": 3, **settings}
    return open_endpoint(address, "tiny", store=store, **settings)


def stored(folder):
    """How often a store holds each answer."""
    return Counter(record["key"] for path in segment_paths(folder) for record in read_segment(path, KIND).records)


@pytest.fixture(scope="module")
def undisturbed(llama):
    """What the server says when nothing goes wrong."""
    return judge(llama).decide(QUERIES)


def test_a_served_model_decides_as_the_same_weights_here(served, undisturbed):
    here = open_text_model(served[0], threads=1).decide(QUERIES)
    assert [decision.action for decision in undisturbed] == [decision.action for decision in here]
    assert {decision.action for decision in here} == {"YES", "NO"}
    for remote, local in zip(undisturbed, here, strict=True):
        # The other ways to write an answer count there, so its score is a little higher.
        assert remote.scores[remote.action] == pytest.approx(local.scores[local.action], abs=0.1)
        assert remote.margin(remote.action) > 0


def test_texts_are_read_where_a_server_gives_no_log_probabilities(served, plain, caplog):
    opened = open_endpoint(plain, str(served[0]), max_tokens=1, concurrency=2)
    decisions = opened.decide(QUERIES)
    here = open_text_model(served[0], threads=1).decide(QUERIES)
    for remote, local in zip(decisions, here, strict=True):
        if remote.valid:
            assert remote.action == local.action
            assert sorted(remote.scores.values()) == [0.0, 1.0]
        else:
            assert "is none of YES, NO" in remote.reason
    assert sum(decision.valid for decision in decisions) >= 8
    assert "gives no log-probabilities; texts are read instead" in caplog.text
    counted = opened.facts()["model"]
    assert counted["completion_tokens"] == len(QUERIES)
    assert counted["prompt_tokens"] > 50 * len(QUERIES)


FAULTS = ["429", "500", "cut", "hang", "malformed", "empty", "", "503", "cut", "malformed"]


def test_no_answer_is_lost_and_none_asked_twice_whatever_happens_on_the_way(proxy, tmp_path, undisturbed):
    proxy.faults = list(FAULTS)
    first = judge(proxy.address, tmp_path / "store")
    decisions = first.decide(QUERIES)
    assert [decision.action for decision in decisions] == [decision.action for decision in undisturbed]
    assert len(proxy.delivered) == len(QUERIES)
    assert set(proxy.delivered.values()) == {1}
    assert sum(proxy.asked.values()) == len(QUERIES) + len(list(filter(None, FAULTS)))
    assert first.facts()["model"]["retries"] == len(list(filter(None, FAULTS)))
    assert set(stored(tmp_path / "store").values()) == {1}
    assert 1 < proxy.largest_at_once <= 3
    asked = sum(proxy.asked.values())
    assert judge(proxy.address, tmp_path / "store").decide(QUERIES) == decisions
    assert sum(proxy.asked.values()) == asked


def test_a_rate_limit_holds_all_questions_back_for_as_long_as_the_server_says(proxy):
    proxy.faults = ["429"]
    judge(proxy.address, concurrency=2).decide(QUERIES[:6])
    gaps = [later - sooner for sooner, later in zip(sorted(proxy.times), sorted(proxy.times)[1:], strict=False)]
    assert max(gaps) > 0.9
    assert sum(gap > 0.9 for gap in gaps) == 1


def test_a_question_that_fails_for_good_costs_no_other_answer(proxy, tmp_path):
    proxy.always = {"q-broken": "500"}
    broken = Query(text_question("q2", "Is this q-broken?"), 31)
    queries = [*QUERIES[:3], broken, *QUERIES[3:]]
    with pytest.raises(InputError, match=r"gave no answer in 2 tries \(status 500.*every answer so far is kept"):
        judge(proxy.address, tmp_path / "store", retries=1).decide(queries)
    kept = len(stored(tmp_path / "store"))
    assert kept == sum(proxy.delivered.values()) > 0
    proxy.always = {}
    again = judge(proxy.address, tmp_path / "store")
    assert len(again.decide(queries)) == len(queries)
    assert again.counts.asked == len(queries) - kept
    assert set(proxy.delivered.values()) == {1}


def test_an_interrupted_run_keeps_the_answers_under_way(proxy, tmp_path, monkeypatch):
    opened = judge(proxy.address, tmp_path / "store")
    add, calls = opened._store.add, []

    def interrupted(entries):
        add(entries)
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(opened._store, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        opened.decide(QUERIES)
    assert len(stored(tmp_path / "store")) == 4
    monkeypatch.undo()
    assert len(opened.decide(QUERIES)) == len(QUERIES)
    assert len(stored(tmp_path / "store")) == len(QUERIES)


def test_a_refused_key_is_one_sentence_before_anything_is_spent(proxy, monkeypatch):
    proxy.key = KEY
    with pytest.raises(InputError, match="refuses the key .status 401, no key was sent.; set .* OPENAI_API_KEY"):
        judge(proxy.address).decide(QUERIES)
    monkeypatch.setenv("MY_KEY", "wrong")
    with pytest.raises(InputError, match="refuses the key .status 401, the key was sent.; set .* MY_KEY"):
        judge(proxy.address, key_variable="MY_KEY").decide(QUERIES)
    assert not proxy.asked
    monkeypatch.setenv("MY_KEY", KEY)
    assert judge(proxy.address, key_variable="MY_KEY").decide(QUERIES[:1])[0].valid
    assert KEY in proxy.keys


def test_the_call_and_the_command_pass_the_refusal_on_as_one_sentence(proxy, tmp_path, monkeypatch, capsys):
    proxy.key = KEY
    memories = ["The sky was grey.", "The sky is blue today."]
    result = select(memories, judge(proxy.address), query="Is the sky blue?", answers=["YES", "NO"])
    assert not result.complete
    assert "refuses the key (status 401, no key was sent); set" in result.reason
    assert len(result.reason.splitlines()) == 1
    monkeypatch.setenv("MY_KEY", "not-it")
    file = tmp_path / "memories.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in memories))
    options = ["--endpoint", proxy.address, "--served-model", "tiny", "--key-variable", "MY_KEY"]
    status = main(["select", str(file), "--query", "Is the sky blue?", "--answers", "YES", "NO", *options])
    assert status == PARTIAL
    said = "".join(capsys.readouterr())
    assert "refuses the key (status 401, the key was sent); set" in " ".join(said.split())
    assert "not-it" not in said


def test_a_key_that_is_not_set_and_one_in_the_url_are_refused_at_once(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(InputError, match="the environment variable MY_KEY is not set"):
        judge("http://127.0.0.1:1/v1", key_variable="MY_KEY")
    with pytest.raises(InputError, match="url holds a name or password"):
        judge("http://me:secret@127.0.0.1:1/v1")


def test_a_wrong_url_is_one_sentence():
    address = f"http://127.0.0.1:{free_port()}/v1"
    with pytest.raises(InputError, match=f"endpoint {address} cannot be reached .*; correct its url or start"):
        judge(address).decide(QUERIES)


def test_the_key_is_in_no_log_no_store_no_result_and_no_error(proxy, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    proxy.faults = [f"500 the key {KEY} broke it", f"429 {KEY} is too fast"]
    opened = judge(proxy.address, tmp_path / "store")
    said = [str(opened.decide(QUERIES)), json.dumps(opened.facts())]
    proxy.always = {"Does": f"400 {KEY} may not ask"}
    with pytest.raises(InputError, match=r"status 400: .*\[key\] may not ask") as refused:
        opened.decide([Query(QUESTION, 30)])
    proxy.key = "another"
    with pytest.raises(InputError) as denied:
        judge(proxy.address).decide([Query(QUESTION, 29)])
    said += [str(refused.value), str(denied.value), caplog.text]
    said += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert KEY in proxy.keys
    assert not [text for text in said if KEY in text or KEY[8:] in text]


def test_a_prompt_longer_than_the_server_s_context_is_an_invalid_decision(llama):
    long = text_question("long", texts=tuple(f"Note {i} of the yard says nothing." for i in range(400)))
    decision, short = judge(llama).decide([Query(long, long.everything), Query(long, 7)])
    assert decision.action is None
    assert "the server refuses the prompt" in decision.reason
    assert "context" in decision.reason
    assert short.valid


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("404 no such model", "does not know the model tiny or the path .*; correct served_model or url; it knows "),
        ("400 bad field", "refuses the question .status 400: .*bad field"),
        ("429 insufficient_quota", "the account has no quota left"),
    ],
)
def test_what_will_not_pass_is_not_tried_again(proxy, fault, sentence):
    proxy.always = {"Does": fault}
    with pytest.raises(InputError, match=sentence):
        judge(proxy.address, concurrency=1).decide(QUERIES[:1])
    assert sum(proxy.asked.values()) == 1


def test_fields_that_a_server_does_not_take_are_left_out(proxy):
    proxy.faults = ["400 logprobs is not supported", "400 use max_completion_tokens instead of max_tokens"]
    decisions = judge(proxy.address, concurrency=1).decide(QUERIES[:3])
    assert sum(proxy.asked.values()) == 5
    assert all(sorted(decision.scores.values()) in ([], [0.0, 1.0]) for decision in decisions)


@pytest.mark.parametrize(
    ("template", "question"), [("memories.yaml", QUESTION), ("default.yaml", make_task("threshold", 4).question)]
)
def test_an_entry_of_the_models_file_decides_about_texts_and_about_the_benchmark(llama, tmp_path, template, question):
    entry = ModelEntry.from_settings(
        "served",
        {
            "kind": "endpoint",
            "name": "Served",
            "role": "local",
            "licence": "MIT",
            "prompt_template": str(PROJECT / "config/prompts" / template),
            "mem_mb": 500,
            "runtime_minutes": 5,
            "shards": 1,
            "settings": {"url": llama, "served_model": "tiny", "max_tokens": 1},
        },
    )
    with open_judge(entry, tmp_path / "store") as opened:
        decisions = opened.decide([Query(question, retained) for retained in (1, 2)])
    assert {decision.action for decision in decisions} <= set(question.actions)
    assert len(stored(tmp_path / "store")) == 2


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"concurrency": 0}, "endpoint key concurrency"),
        ({"urll": "x"}, "urll is unknown; did you mean url"),
        ({"top_log_probabilities": 50}, "endpoint key top_log_probabilities"),
    ],
)
def test_a_wrong_setting_is_named(settings, sentence):
    with pytest.raises(InputError, match=sentence):
        open_endpoint("http://127.0.0.1:1/v1", "tiny", **settings)


def test_answers_that_begin_another_are_refused():
    with pytest.raises(InputError, match="the answer 'hold' begins the answer 'Hold it'"):
        open_endpoint("http://127.0.0.1:1/v1", "tiny", ("hold", "Hold it"))


def token(text, log_probability, *others):
    """A token with its alternatives, itself the first."""
    alternatives = ((text, log_probability), *others)
    return Token(text.encode(), log_probability, tuple((word.encode(), value) for word, value in alternatives))


def test_the_first_token_that_tells_answers_apart_scores_them():
    reply = Reply("option B", (token("option", -0.1, ("skip", -3.0)), token(" B", -0.2, (" A", -2.0), (" b", -4.0))))
    scores = by_log_probability(("option A", "option B", "skip"), reply)
    assert scores[0] == pytest.approx(-2.1)
    assert scores[1] == pytest.approx(-0.1 - 0.2 + 0.0221, abs=1e-3)
    assert scores[2] == pytest.approx(-3.0)


def test_an_answer_that_is_not_listed_scores_below_all_that_are():
    scores = by_log_probability(("YES", "NO"), Reply("Maybe", (token("Maybe", -0.1, ("NO", -5.0)),)))
    assert scores[1] == -5.0
    assert scores[0] < -5.0


def test_log_probabilities_of_a_hidden_thought_are_not_the_answer_s():
    reply = Reply("NO", (token("Let", -0.1, ("YES", -1.0)), token(" me", -0.1)))
    assert by_log_probability(("YES", "NO"), reply) is None
    assert read_answer(("YES", "NO"), reply).scores == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("YES", 0), (" yes.", 0), ("**NO**", 1), ('"No"', 1), ("NO, since it rained", 1), ("YES\nbecause", 0),
        ("No idea", None), ("", None), ("The answer is YES", None), ("NOT", None), ("yesterday", None),
    ],
)  # fmt: skip
def test_a_text_is_one_of_the_answers_or_nothing(text, number):
    assert by_text(("YES", "NO"), text) == number


@pytest.mark.parametrize("document", [None, [], {}, {"choices": []}, {"choices": [{"message": {"content": 7}}]}])
def test_what_is_no_completion_is_malformed(document):
    with pytest.raises(MalformedReplyError):
        read_reply(document)
