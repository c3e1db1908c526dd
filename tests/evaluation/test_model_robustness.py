"""Selected sets, decided again in every cell of interface and label style."""

import pytest

from evaluation.model_cases import (
    LOGICAL,
    SETTINGS,
    Recorded,
    logical,
    satisfied_when,
    small_tasks,
    study_methods,
    study_tasks,
)
from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.evaluation.answers import COMPARED_INTERFACES, PRIMARY, DecisionMemo
from jointcore.evaluation.model_stage import run_primary, shard_of
from jointcore.evaluation.robustness import full_cross, run_robustness, selected_sets
from jointcore.tasks.subsets import robustness_subset
from paths import PROJECT

ROBUST = ["conditional_singleton_cost", "jointcore_cost_ordered"]
CELLS = full_cross(COMPARED_INTERFACES, LABEL_STYLES)


def redecide(decider, tasks=None, cells=CELLS):
    tasks = tasks or small_tasks()
    memo = DecisionMemo(decider)
    outcomes = run_primary(memo, shard_of(tasks, 0, 1), study_methods(), SETTINGS)
    asked = memo.distinct
    ids = {task.question.id for task in tasks}
    return outcomes, run_robustness(memo, selected_sets(outcomes, ROBUST, ids), cells), memo.distinct - asked


def test_the_study_redecides_two_sets_of_108_tasks_in_fifteen_cells():
    tasks = study_tasks()
    ids = {task.question.id for task in robustness_subset(tasks, 4)}
    memo = DecisionMemo(LOGICAL)
    outcomes = run_primary(memo, shard_of(tasks, 0, 1), study_methods(), SETTINGS)
    chosen = selected_sets(outcomes, ROBUST, ids)
    redecided = run_robustness(memo, chosen, CELLS)
    assert (len(chosen), len(redecided)) == (216, 216 * 15)
    assert {one.index % 4 for one in chosen} == {0}
    assert all(r.trajectory_success and r.agrees_with_primary and r.behavioral_sufficiency for r in redecided)


def test_the_primary_cell_is_the_primary_run_and_is_not_asked_again():
    decider = Recorded(logical)
    outcomes, redecided, new = redecide(decider, cells=[PRIMARY])
    assert new == 0
    primary = {(o.task.question.id, o.run.method.slug): o for o in outcomes}
    for cell in redecided:
        outcome = primary[cell.selected.task.question.id, cell.selected.method]
        assert (cell.reference, cell.final, cell.terminal) == (
            outcome.run.reference,
            outcome.run.final,
            outcome.terminal,
        )
        assert cell.trajectory_success == outcome.measures.trajectory_success
        assert cell.behavioral_sufficiency == outcome.measures.behavioral_sufficiency


def test_full_memory_is_one_question_a_label_style_whatever_the_interface():
    decider = Recorded(logical)
    redecide(decider)
    full = [q for q in decider.asked if q.workflow_action is None and q.retained == q.question.everything]
    assert sorted((q.question.id, q.label_style) for q in full) == sorted(
        (task.question.id, style) for task in small_tasks() for style in LABEL_STYLES
    )
    assert len(decider.asked) == len(set(decider.asked))


@pytest.mark.parametrize("wording", ["default", "terse"])
def test_the_prompts_bear_out_what_counts_as_one_question(wording):
    template = PromptTemplate.load(PROJECT / "config" / "prompts" / f"{wording}.yaml")
    for task in small_tasks():
        for style in LABEL_STYLES:
            full = [
                template.render(Query(task.question, task.question.everything, 0, name, style)) for name in INTERFACES
            ]
            empty = [template.render(Query(task.question, 0, 0, name, style)) for name in INTERFACES]
            ends = [
                template.render(Query(task.question, kept, 0, name, style, "HOLD"))
                for name in INTERFACES
                for kept in (0, 5)
            ]
            assert all(prompt == full[0] for prompt in full)
            assert all(prompt == ends[0] for prompt in ends)
            assert len({prompt.messages[-1]["content"] for prompt in empty}) == len(INTERFACES)


def test_a_cell_that_turns_decisions_shows_in_that_cell_alone():
    def turns(query):
        omitted = query.retained != query.question.everything
        return not (omitted and query.interface == "deletion" and query.label_style == "ab")

    decider = Recorded(satisfied_when(lambda q: turns(q) and logical(q) == q.question.condition.action))
    _, redecided, _ = redecide(decider)
    for cell in redecided:
        hit = cell.reading == ("deletion", "ab") and cell.selected.retained != cell.selected.task.question.everything
        assert cell.agrees_with_primary == (not hit)
        assert cell.behavioral_sufficiency == (not hit)
        assert cell.trajectory_success == (not hit)


def test_the_full_archive_decides_full_memory_and_is_judged_as_that():
    decider = Recorded(satisfied_when(lambda q: q.retained == q.question.everything))
    _, redecided, _ = redecide(decider, cells=full_cross(["full_archive", "typed_mask"], ["direct"]))
    archive = [cell for cell in redecided if cell.reading.interface == "full_archive"]
    assert len(archive) == len(redecided) // 2
    assert all(cell.final is cell.reference and cell.trajectory_success for cell in archive)


def test_an_invalid_decision_agrees_with_nothing_and_has_no_terminal_step():
    def action(query):
        return None if query.label_style == "ab" else logical(query)

    _, redecided, _ = redecide(Recorded(action), cells=full_cross(["typed_mask"], ["ab", "boolean"]))
    for cell in redecided:
        valid = cell.reading.label_style == "boolean"
        assert cell.agrees_with_primary == cell.behavioral_sufficiency == cell.trajectory_success == valid
        assert (cell.terminal is not None) == valid
        assert len(cell.invalid) == (not valid)


def test_an_invalid_primary_decision_is_agreed_with_by_nothing():
    def action(query):
        return None if query.label_style == "boolean" else logical(query)

    _, redecided, _ = redecide(Recorded(action), cells=full_cross(["typed_mask"], ["boolean", "direct"]))
    assert not any(cell.agrees_with_primary for cell in redecided)
    assert {cell.trajectory_success for cell in redecided} == {True, False}


@pytest.mark.parametrize(
    ("interfaces", "styles", "message"),
    [
        (["deletion", "typo"], ["ab"], "interface 'typo' is unknown; choose from full_archive, typed_mask"),
        (["deletion"], ["yes_no"], "label style 'yes_no' is unknown; choose from boolean, direct, ab"),
    ],
)
def test_unknown_cells_are_refused(interfaces, styles, message):
    with pytest.raises(InputError, match=message):
        full_cross(interfaces, styles)


def test_a_method_that_the_primary_run_lacks_is_refused():
    outcomes = run_primary(DecisionMemo(LOGICAL), shard_of(small_tasks(), 0, 1), study_methods()[:3], SETTINGS)
    with pytest.raises(InputError, match="robustness needs the sets of conditional_singleton_cost"):
        selected_sets(outcomes, ROBUST, {small_tasks()[0].question.id})
