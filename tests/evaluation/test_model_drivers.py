"""One task at a time, all tasks in lockstep, in shards or after a crash: the outcomes are the same."""

from typing import ClassVar

import pytest

from evaluation.model_cases import SETTINGS, Recorded, noisy_rule, run, small_tasks, study_methods, study_tasks
from jointcore.decisions.language_model import LanguageModelJudge
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.store.decision_store import DecisionStore
from jointcore.errors import InputError
from jointcore.evaluation.model_rows import Model
from jointcore.evaluation.model_run import Robustness, ShardPlan, run_shard, write_shard
from jointcore.evaluation.model_storage import PRIMARY_ROWS, ROBUSTNESS_ROWS, TRACE_ROWS, merge_shards
from jointcore.hashing import stable_seed, unit_interval
from jointcore.selection.catalogue import all_methods, load_method
from paths import PROJECT

MODEL = Model("scripted", "local")
ROBUST = ["conditional_singleton_cost", "jointcore_cost_ordered"]


NOISY = noisy_rule(0.15, 5, {"synergy_xor": 0.4}, 0.05)


def noisy(query):
    """A decision that errs by a hash of the question."""
    return NOISY.decide([query])[0]


def test_both_drivers_give_the_same_outcomes_for_every_method():
    together, apart, grouped = (Recorded(noisy) for _ in range(3))
    in_lockstep = run(together, study_tasks()[::6], all_methods())
    one_by_one = run(apart, study_tasks()[::6], all_methods(), in_flight=1)
    in_groups = run(grouped, study_tasks()[::6], all_methods(), in_flight=7)
    assert in_lockstep == one_by_one == in_groups
    assert len(together.asked) == len(apart.asked) == len(grouped.asked)
    assert {o.measures.invalid_decisions > 0 for o in in_lockstep} == {True, False}
    assert {o.measures.behavioral_sufficiency for o in in_lockstep} == {True, False}


def run_job(folder, shard, shards):
    """The files of one job of the model stage."""
    plan = Robustness(4, ROBUST, ["full_archive", "deletion"], ["ab"])
    job = run_shard(Recorded(noisy), small_tasks(), ShardPlan(shard, shards, study_methods(), SETTINGS, plan))
    paths = {name: folder / f"{name}-{shard}-of-{shards}.parquet" for name in ("primary", "traces", "robustness")}
    write_shard(job, MODEL, **paths)
    return paths


@pytest.mark.parametrize("shards", [1, 2, 5, 18])
def test_merged_shards_have_the_bytes_of_one_shard(tmp_path, shards):
    whole = run_job(tmp_path, 0, 1)
    parts = [run_job(tmp_path, shard, shards) for shard in range(shards)]
    for name, kind in (("primary", PRIMARY_ROWS), ("traces", TRACE_ROWS), ("robustness", ROBUSTNESS_ROWS)):
        merged = tmp_path / f"{name}.parquet"
        rows = merge_shards(merged, kind, [part[name] for part in parts])
        assert rows == {"primary": 18 * 8, "traces": 18 * 8, "robustness": 5 * 2 * 2}[name]
        assert merged.read_bytes() == whole[name].read_bytes()


class HashScorer:
    """Scores labels by a hash of the prompt; breaks down after some calls. Keeps what it was asked."""

    identity: ClassVar = {"scorer": "a hash"}

    def __init__(self, calls):
        self._calls = calls
        self.asked = []

    def encode(self, prompt):
        words = prompt.messages[-1]["content"].split()
        labels = tuple((stable_seed(label),) for label in prompt.labels)
        return ScoringRequest(tuple(stable_seed(word) for word in words), labels)

    def score(self, requests):
        self._calls -= 1
        if self._calls < 0:
            raise OSError("the node is gone")
        self.asked += requests
        return [
            ScoringResult(tuple(-unit_interval(*request.token_ids, *ids) for ids in request.label_ids))
            for request in requests
        ]


def ask(folder, scorer, methods=None, in_flight=None):
    """The primary run with a scorer and a store on the disk; one answer is kept at a time."""
    with DecisionStore(folder, scorer.identity) as store:
        template = PromptTemplate.load(PROJECT / "config" / "prompts" / "terse.yaml")
        return run(LanguageModelJudge(template, scorer, store, 1), small_tasks(), methods, in_flight=in_flight)


@pytest.mark.parametrize("in_flight", [None, 1])
def test_a_rerun_after_a_crash_asks_only_what_was_not_answered(tmp_path, in_flight):
    whole = HashScorer(10**6)
    expected = ask(tmp_path / "whole", whole, in_flight=in_flight)
    broken, second = HashScorer(100), HashScorer(10**6)
    with pytest.raises(OSError, match="node is gone"):
        ask(tmp_path / "broken", broken, in_flight=in_flight)
    assert ask(tmp_path / "broken", second, in_flight=in_flight) == expected
    assert len(broken.asked) == 100
    assert len(second.asked) == len(whole.asked) - 100 > 0


def test_another_method_asks_only_its_own_new_questions(tmp_path):
    singleton, jointcore = load_method("conditional_singleton_cost"), load_method("jointcore_cost_ordered")
    first, added, alone = HashScorer(10**6), HashScorer(10**6), HashScorer(10**6)
    ask(tmp_path / "both", first, [singleton])
    ask(tmp_path / "both", added, [singleton, jointcore])
    ask(tmp_path / "alone", alone, [jointcore])
    assert set(added.asked) == set(alone.asked) - set(first.asked) != set()
    assert len(added.asked) == len(set(added.asked))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            Robustness(4, ["random_b", "jointcore_anchored"], ["deletion"], ["ab"]),
            "needs the sets of jointcore_anchored",
        ),
        (Robustness(4, ROBUST, ["mask"], ["ab"]), "interface 'mask' is unknown"),
    ],
)
def test_bad_robustness_is_refused_before_any_question(plan, message):
    decider = Recorded(noisy)
    with pytest.raises(InputError, match=message):
        run_shard(decider, small_tasks(), ShardPlan(0, 1, study_methods(), SETTINGS, plan))
    assert decider.asked == []


def test_a_job_counts_its_questions():
    decider = Recorded(noisy)
    plan = Robustness(4, ROBUST, ["full_archive"], ["boolean"])
    counts = run_shard(decider, small_tasks(), ShardPlan(0, 1, study_methods(), SETTINGS, plan)).questions
    assert counts["distinct"] == len(decider.asked) < counts["questions"]
    assert counts["invalid"] == sum(not noisy(query).valid for query in decider.asked) > 0
