from __future__ import annotations

import pytest

from decisions.questions import MODEL_GRID, every_form, make_task
from jointcore.bitsets import full
from jointcore.decisions.judges.logical_rule import LogicalRule
from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.decisions.judges.scripted import Scripted
from jointcore.decisions.protocol import Decision, Query
from jointcore.tasks.generate import generate_tasks

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
