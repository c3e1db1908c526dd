from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decisions.questions import DEFAULT, MODEL_GRID, TERSE, every_form, make_task
from jointcore.bitsets import full, members
from jointcore.cli import main
from jointcore.decisions.prompts.describe import describe_prompts
from jointcore.decisions.prompts.interfaces import INTERFACES, altered_value, shown_records
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.hashing import stable_seed
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.storage import write_tasks
from jointcore.tasks.task import ACTIONS, TERMINAL
from paths import PROJECT

ALL = full(16)
SHARED = PromptTemplate.load(DEFAULT)
CONDITIONS = {
    ("single_variable", 4): "authorization=ALLOW",
    ("redundant_or", 4): "at least one approval record is ALLOW",
    ("synergy_and", 2): "case_id=MATCH AND current_status=CONFIRMED",
    ("proxy_confounded", 4): (
        "case_id=MATCH AND current_status=CONFIRMED AND policy_version=CURRENT AND approval=ALLOW"
    ),
    ("delayed_fsm", 2): "case_id=MATCH AND current_status=CONFIRMED",
    ("synergy_xor", 2): "all of key_flag_1, key_flag_2 are known and exactly one of them is ON",
    ("threshold", 2): "at least 1 approval record is ALLOW",
    ("threshold", 4): "at least 2 approval records are ALLOW",
    ("multiple_minimal_sets", 4): (
        "all channel_a records (channel_a_1, channel_a_2) are VALID or "
        "all channel_b records (channel_b_1, channel_b_2) are VALID"
    ),
    ("harmful_stale", 2): "current_authorization is ALLOW and stale_policy is BLOCK",
    ("harmful_stale", 4): (
        "current_authorization is ALLOW and every support record (support_1, support_2) is VALID "
        "and stale_policy is BLOCK"
    ),
}


@pytest.fixture(scope="module", params=[DEFAULT, TERSE], ids=["default", "terse"])
def template(request):
    return PromptTemplate.load(request.param)


def user_text(template, query):
    return template.render(query).messages[-1]["content"]


@pytest.mark.parametrize(("family", "size"), CONDITIONS)
def test_conditions_of_all_families(default_template, family, size):
    text = user_text(default_template, Query(make_task(family, size).question, ALL))
    assert f"\nCondition: {CONDITIONS[family, size]}\n" in text


def test_every_family_is_covered():
    assert {family for family, _ in CONDITIONS} == set(FAMILIES)


def test_a_whole_prompt(default_template):
    task = make_task("single_variable")
    prompt = default_template.render(Query(task.question, 1 << task.support[0]))
    assert [message["role"] for message in prompt.messages] == ["system", "user"]
    system, user = (message["content"] for message in prompt.messages)
    assert "exactly" in system
    assert "not explain" in system
    for said in ("UNKNOWN", "PENDING", "INVALID", "absent", "distractors"):
        assert said in user
    assert "Workflow domain: orders\nHorizon label: 1\n" in user
    lines = [line for line in user.splitlines() if line.startswith("m")]
    expected = [
        f"m{i} {task.records[i].name} {task.records[i].type}="
        + (task.records[i].value if i == task.support[0] else "UNKNOWN")
        for i in task.question.presentation
    ]
    assert lines == expected
    assert "\n\nIs the condition true for these records? Allowed answers: YES, NO.\n\nRecords:\n" in user


def test_interfaces_show_omitted_records_as_specified():
    task = make_task("synergy_xor", 2)
    first, second = task.support
    shown = {
        interface: {record.id: value for record, value in shown_records(Query(task.question, 1 << first, 0, interface))}
        for interface in INTERFACES
    }
    assert second not in shown["deletion"]
    assert len(shown["deletion"]) == 1
    assert shown["typed_mask"][second] == "UNKNOWN"
    assert shown["plausible_same_type"][second] == "PENDING"
    assert shown["counterfactual"][second] == "ON"
    assert all(values[first] == task.records[first].value for values in shown.values())
    assert [altered_value(v) for v in ("ALLOW", "BLOCK", "ON", "OFF", "NOTE_3", "VALID")] == [
        "BLOCK",
        "ALLOW",
        "OFF",
        "ON",
        "INVALID",
        "INVALID",
    ]


def test_altered_records_contradict_their_value_and_omitted_ones_stay_omitted():
    task = make_task("synergy_and")
    one, other = task.support
    shown = {r.id: value for r, value in shown_records(Query(task.question, 1 << one, (1 << one) | (1 << other)))}
    assert shown[one] == "INVALID"
    assert shown[other] == "UNKNOWN"


def test_labels_and_actions(template):
    for task in generate_tasks(MODEL_GRID):
        render = lambda style, action=None, task=task: template.render(  # noqa: E731
            Query(task.question, ALL, label_style=style, workflow_action=action)
        )
        other = ACTIONS[1 - ACTIONS.index(task.question.condition.action)]
        boolean = render("boolean")
        assert (boolean.labels, boolean.actions) == (("YES", "NO"), (task.question.condition.action, other))
        direct = render("direct")
        assert direct.labels == direct.actions == ACTIONS
        letters = render("ab")
        a_executes = stable_seed(task.question.id, "ab-map") % 2 == 0
        assert letters.labels == ("A", "B")
        assert letters.actions == (ACTIONS if a_executes else ACTIONS[::-1])
        for action in TERMINAL:
            for style in ("boolean", "direct"):
                assert render(style, action).labels == render(style, action).actions == ("COMMIT", "HALT")
            a_commits = stable_seed(task.question.id, "terminal-ab-map") % 2 == 0
            assert render("ab", action).actions == (("COMMIT", "HALT") if a_commits else ("HALT", "COMMIT"))


def test_the_rule_and_the_letters_are_stated(default_template):
    for task in (make_task("synergy_xor", 2, block=block) for block in range(4)):
        other = ACTIONS[1 - ACTIONS.index(task.question.condition.action)]
        rule = (
            f"Choose {task.question.condition.action} if and only if all of key_flag_1, key_flag_2 are known and "
            f"exactly one of them is ON; otherwise choose {other}."
        )
        direct = user_text(default_template, Query(task.question, ALL, label_style="direct"))
        assert f"\n{rule} Allowed answers: EXECUTE, HOLD.\n" in direct
        prompt = default_template.render(Query(task.question, ALL, label_style="ab"))
        a, b = prompt.actions
        letters = f"\n{rule} A means {a} and B means {b}. Allowed answers: A, B.\n"
        assert letters in prompt.messages[-1]["content"]


def test_the_terminal_prompt_depends_on_task_action_and_style_only(template):
    task = make_task("threshold", 4)
    for style in LABEL_STYLES:
        prompts = [
            template.render(Query(task.question, retained, altered, interface, style, "HOLD"))
            for retained in (0, ALL)
            for altered in (0, 1)
            for interface in INTERFACES
        ]
        assert all(prompt == prompts[0] for prompt in prompts)
        assert "HOLD" in prompts[0].messages[-1]["content"]
        assert prompts[0] != template.render(Query(task.question, 0, label_style=style, workflow_action="EXECUTE"))


@given(
    retained=st.integers(0, ALL), interface=st.sampled_from(list(INTERFACES)), style=st.sampled_from(list(LABEL_STYLES))
)
def test_questions_about_a_task_share_everything_before_the_first_omitted_record(retained, interface, style):
    template, task = SHARED, make_task("harmful_stale", 4)
    lines = user_text(template, Query(task.question, retained, 0, interface, style)).splitlines()
    whole = user_text(template, Query(task.question, ALL, label_style=style)).splitlines()
    before = next((i for i, identifier in enumerate(task.question.presentation) if not retained >> identifier & 1), 16)
    first_record = next(i for i, line in enumerate(whole) if line.startswith("m"))
    assert lines[: first_record + before] == whole[: first_record + before]
    retained_lines = sum(line in whole[first_record : first_record + 16] for line in lines)
    assert retained_lines == len(members(retained))


def test_the_terse_prompt_is_terse(terse_template):
    lengths = [
        len(user_text(terse_template, Query(task.question, ALL)).split()) + 4 for task in generate_tasks(MODEL_GRID)
    ]
    assert 80 <= sum(lengths) / len(lengths) <= 90


def test_unknown_forms_of_a_question_are_refused(default_template):
    task = make_task()
    for query, said in (
        (Query(task.question, 0, interface="blank"), "interface 'blank'"),
        (Query(task.question, 0, label_style="odd"), "label style 'odd'"),
        (Query(task.question, 0, workflow_action="WAIT"), "workflow action 'WAIT'"),
    ):
        with pytest.raises(InputError, match=said):
            default_template.render(query)


def test_a_reader_sees_every_prompt(default_template):
    task = make_task("threshold", 4)
    text = describe_prompts(default_template, task, 0b101, INTERFACES, LABEL_STYLES)
    assert text.count("=== ") == len(INTERFACES) * len(LABEL_STYLES) + len(TERMINAL) * len(LABEL_STYLES)
    for query in every_form(task, (0b101,)):
        assert user_text(default_template, query) in text


def test_the_command_prints_a_tasks_prompts(tmp_path, capsys, default_template, monkeypatch):
    monkeypatch.chdir(PROJECT)
    tasks = [make_task("threshold", 4), make_task("synergy_xor")]
    file = tmp_path / "tasks.parquet"
    write_tasks(file, tasks)
    assert main(["prompts", "--tasks", str(file), "--task", "1", "--method-set", "0,3"]) == 0
    by_position = capsys.readouterr().out
    assert by_position == describe_prompts(default_template, tasks[1], 0b1001)
    wanted = tasks[1].question.id[:12]
    assert main(["prompts", "--tasks", str(file), "--task", wanted, "--method-set", "0,3"]) == 0
    assert capsys.readouterr().out == by_position
    for bad, said in (
        (["--task", "99"], "no task '99'"),
        (["--method-set", "0,99"], "the record '99'"),
        (["--template", "none.yaml"], "does not exist"),
    ):
        assert main(["prompts", "--tasks", str(file), *bad]) == 1
        error = capsys.readouterr().err
        assert error.startswith("Error: ")
        assert said in error
        assert error.count("\n") == 1


def test_the_module_runs(tmp_path):
    file = tmp_path / "tasks.parquet"
    write_tasks(file, [make_task()])
    done = subprocess.run(
        [sys.executable, "-m", "jointcore", "prompts", "--tasks", file, "--method-set", "none"],
        cwd=PROJECT,
        env={"PYTHONPATH": str(PROJECT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "retained [] of 16 records" in done.stdout
