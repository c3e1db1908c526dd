"""Judges without a model, found by name; what they decide and how they are opened."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from decisions.questions import MODEL_GRID, every_form, make_task
from jointcore.bitsets import full
from jointcore.decisions.catalogue import _JUDGES, judge, load_judge, open_judge
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.decisions.judges.scripted import Scripted
from jointcore.decisions.protocol import Decision, Query
from jointcore.errors import InputError
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.question import TEXT, Condition, Question, Record

ALL = full(16)
BASE = LogicalRule()


@pytest.fixture(scope="module")
def queries():
    return [query for task in list(generate_tasks(MODEL_GRID))[::7] for query in every_form(task, (0, 0x5555, ALL))]


def test_a_script_is_a_function_or_a_table():
    task = make_task()
    queries = [Query(task.question, ALL), Query(task.question, 0), Query(task.question, 1), Query(task.question, 3)]
    said = ["HOLD", "EXECUTE", None, Decision("HOLD", {"HOLD": -0.5, "EXECUTE": -0.75})]
    by_content = {query.identity: one for query, one in zip(queries, said, strict=True)}
    for script in (by_content, lambda query: by_content[query.identity]):
        first, second, third, fourth = Scripted(script).decide(queries)
        assert first == Decision("HOLD", {"EXECUTE": 0.0, "HOLD": 1.0})
        assert second.action == "EXECUTE"
        assert (third.valid, third.scores, third.margin("HOLD")) == (False, {}, float("-inf"))
        assert fourth.margin("HOLD") == 0.25
    with pytest.raises(KeyError):
        Scripted(by_content).decide([Query(task.question, 7)])


def test_no_noise_and_nothing_but_noise(queries):
    right = BASE.decide(queries)
    assert NoisyRule(Errors(0.0, seed=1)).decide(queries) == right
    wrong = NoisyRule(Errors(1.1, seed=1)).decide(queries)
    for truth, decision in zip(right, wrong, strict=True):
        assert decision.action != truth.action
        assert decision.scores[decision.action] == truth.scores[truth.action]
        assert set(decision.scores) == set(truth.scores)
    assert not any(d.valid for d in NoisyRule(Errors(0.0, seed=1, invalid_rate=1.1)).decide(queries))


def test_noise_depends_on_the_question_alone(queries):
    noisy = NoisyRule(Errors(0.3, seed=5, invalid_rate=0.1))
    decisions = noisy.decide(queries)
    assert noisy.decide(queries[::-1]) == decisions[::-1]
    assert [noisy.decide([query])[0] for query in queries[:200]] == decisions[:200]
    assert NoisyRule(Errors(0.3, seed=6, invalid_rate=0.1)).decide(queries) != decisions
    by_content = {}
    for query, decision in zip(queries, decisions, strict=True):
        assert by_content.setdefault(query.identity, decision) == decision


def test_the_rates_are_kept_by_family(queries):
    noisy = NoisyRule(Errors(0.3, {"threshold": 0.0}, 5, 0.1))
    outcomes = {"threshold": [], "other": []}
    seen = set()
    for query, truth, decision in zip(queries, BASE.decide(queries), noisy.decide(queries), strict=True):
        if query.identity not in seen:
            seen.add(query.identity)
            group = "threshold" if query.question.condition.kind == "threshold" else "other"
            outcomes[group].append("invalid" if not decision.valid else decision.action != truth.action)
    assert True not in outcomes["threshold"]
    count = len(outcomes["other"])
    assert count > 1500
    assert outcomes["other"].count(True) / count == pytest.approx(0.27, abs=0.03)
    assert outcomes["other"].count("invalid") / count == pytest.approx(0.1, abs=0.02)


def test_content_tells_apart_what_a_prompt_tells_apart(queries, default_template):
    prompts = {}
    for query in queries:
        prompt = default_template.render(query)
        text = (prompt.messages[-1]["content"], prompt.labels, prompt.actions)
        if query.workflow_action is None:
            prompts.setdefault(text, set()).add(query.identity)
            assert len(prompts[text]) == 1


def test_every_judge_of_the_catalogue_is_found_by_name():
    assert {"checkpoint", "logical_rule", "noisy_rule", "scripted"} <= set(_JUDGES.names())
    for name in _JUDGES.names():
        kind = load_judge(name)
        assert (kind.slug, bool(kind.name)) == (name, True)
    with pytest.raises(ValueError, match=r"unknown judge 'oracle'; known are checkpoint, .*logical_rule"):
        load_judge("oracle")


def entry(kind, **settings):
    """An entry of the models file."""
    return SimpleNamespace(key="mine", kind=kind, settings=settings)


def test_judges_are_opened_by_kind_with_their_settings(tmp_path, queries):
    with open_judge(entry("logical_rule"), tmp_path) as rule:
        assert rule.decide(queries) == BASE.decide(queries)
    with open_judge(entry("noisy_rule", rate=0.3, by_family={"threshold": 0.0}, seed=5), tmp_path) as noisy:
        assert noisy.decide(queries) == NoisyRule(Errors(0.3, {"threshold": 0.0}, 5)).decide(queries)
    with open_judge(entry("scripted", function=f"{__name__}:first_action"), tmp_path) as function:
        assert [d.action for d in function.decide(queries)] == [query.offered[0] for query in queries]
    with (
        pytest.raises(InputError, match="model mine: the function nowhere:f cannot be imported .* PYTHONPATH"),
        open_judge(entry("scripted", function="nowhere:f"), tmp_path),
    ):
        pass


def first_action(query):
    """The first of the actions that a query offers."""
    return query.offered[0]


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("noisy_rule", {}, "mine/settings lacks rate; add it"),
        ("noisy_rule", {"rate": 2}, "mine/settings key rate: 2 is outside the range .* a probability from 0 to 1"),
        ("noisy_rule", {"rate": 0.1, "sed": 1}, "key sed is unknown; did you mean seed"),
        ("scripted", {"function": "module"}, "key function: 'module' does not fit; give a Python function"),
        ("logical_rule", {"rate": 0.1}, "key rate is unknown"),
    ],
)
def test_settings_are_checked_by_their_judge(kind, settings, said):
    (problem,) = load_judge(kind).problems(settings, "mine/settings")
    assert re.search(said, problem)
    assert not load_judge("noisy_rule").problems({"rate": 0.1}, "mine/settings")


def test_a_setting_is_declared_in_both_places():
    with pytest.raises(TypeError, match="judge mine has the settings seed but the keyword-only arguments rate"):

        @judge(name="Mine", settings={"seed": {"type": "integer"}})
        def mine(entry, store, *, rate):
            yield LogicalRule()


def test_a_text_question_is_asked_of_any_judge_that_reads_it():
    records = tuple(Record(i, f"m{i}", "text", text, i, 1 / (1 + i)) for i, text in enumerate(("it rains", "no", "x")))
    question = Question("q", records, (2, 0, 1), Condition(TEXT, "What to take?"), ("umbrella", "hat", "nothing"))
    says = Scripted(lambda query: "umbrella" if query.retained & 1 else "hat")
    first, second = says.decide([Query(question, 0b111), Query(question, 0b110)])
    assert (first.action, second.action) == ("umbrella", "hat")
    assert first.margin("umbrella") == 1 == -first.margin("hat")
    with pytest.raises(InputError, match="question q: no rule decides a condition of the kind 'text'"):
        LogicalRule().decide([Query(question, 0)])
