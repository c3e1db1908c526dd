"""``jointcore.pack`` and ``jointcore pack``: what each action leaves of a user's memories, and the router's word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jointcore
from jointcore.cli import main
from jointcore.consolidation.evaluate import outcomes, write_outcomes
from jointcore.consolidation.features import FEATURES, features
from jointcore.consolidation.generate import NotesPlan, generate
from jointcore.consolidation.notes import Inquiry, Note, cost
from jointcore.consolidation.operators import ACTIONS, Losses
from jointcore.consolidation.question_type import type_of
from jointcore.consolidation.router import ridges
from jointcore.consolidation.routing import routing_table
from jointcore.consolidation.texts import sentences, write
from jointcore.errors import InputError
from paths import PROJECT

DEPLOY = str(PROJECT / "examples" / "data" / "deploy.jsonl")
TEXTS = [
    "Tea is green. The office is on the fourth floor.",
    "The office moved to the fifth floor in May, said a very long mail about many other things.",
    "Tea is green.",
]
QUERY = "On which floor is the office?"


def notes(*texts):
    return [Note(place, place, text, ()) for place, text in enumerate(texts)]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Outcomes of a small benchmark, as the workflow writes them."""
    path = tmp_path_factory.mktemp("oas") / "exact.parquet"
    write_outcomes(path, outcomes(generate(NotesPlan(questions=12)), [32, 64], Losses()))
    return path


def test_what_each_action_writes():
    assert write("retain", notes(*TEXTS), QUERY, 13) == (f"{TEXTS[0]}\n{TEXTS[2]}", (0, 2))
    merged = write("merge", notes(*TEXTS), QUERY, 99)
    assert merged.text == f"{TEXTS[0]} {TEXTS[1]}"  # "Tea is green." is told once
    assert merged.kept == (0, 1)
    assert write("abstract", notes(*TEXTS), QUERY, 9) == ("The office is on the fourth floor.", (0,))
    assert write("rewrite", notes(*TEXTS), QUERY, 12).text == "The office is on the fourth floor.\nTea is green."
    with pytest.raises(ValueError, match="no action 'shrink'"):
        write("shrink", notes(*TEXTS), QUERY, 9)


def test_a_record_is_cut_hard_and_names_only_what_has_a_word_in_it():
    assert write("merge", notes("One two three.", "Four five."), QUERY, 2) == ("One two", (0,))
    assert write("abstract", notes("One two three."), "two?", 2) == ("One two", (0,))
    assert write("retain", notes("One two three."), QUERY, 2) == ("", ())


@given(st.lists(st.text("ab .!\n", min_size=1).filter(str.strip), min_size=1, max_size=6), st.integers(1, 12))
def test_no_action_exceeds_the_budget_or_adds_a_word(texts, budget):
    words = set(" ".join(texts).replace(".", " ").replace("!", " ").split())
    for action in ACTIONS:
        written = write(action, notes(*texts), "a ab", budget)
        assert cost(written.text) <= budget
        assert set(written.text.replace(".", " ").replace("!", " ").split()) <= words
        assert set(written.kept) <= set(range(len(texts)))


def test_sentences_end_at_marks_and_lines():
    assert sentences("One. Two?\n\nThree 4.2 four") == ["One.", "Two?", "Three 4.2 four"]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What is the office of Amara?", "single_fact"),
        ("What are the office, server of Amara?", "several_facts"),
        ("Where does Amara live now?", "latest_value"),
        ("Which was settled first, the office or the server?", "order_in_time"),
        ("Do we know her address?", "single_fact"),  # no word within a word
    ],
)
def test_the_type_by_the_words(query, kind):
    assert type_of(query) == kind


def test_the_type_by_the_words_is_that_of_every_generated_question():
    assert all(type_of(inquiry.text) == inquiry.type for inquiry in generate(NotesPlan(questions=10)))


def test_the_router_is_direct_fitted_on_the_given_outcomes(trained):
    packing = jointcore.pack(TEXTS, QUERY, budget=40, trained=trained)
    inquiry = Inquiry("query", "single_fact", QUERY, (), tuple(note._replace(session=0) for note in notes(*TEXTS)))
    assert list(packing.features.values()) == features(inquiry, 40)
    from jointcore.consolidation.evaluate import read_outcomes

    table = routing_table(read_outcomes(trained), ACTIONS)
    row = table.rows([0])
    row.features[0] = [packing.features[name] for name in FEATURES]
    assert [each.advantage for each in packing.actions][1:] == pytest.approx(list(ridges(table)(row)[0]))
    assert [each.action for each in packing.actions] == list(ACTIONS)
    assert packing[packing.choice].advantage == max(each.advantage for each in packing.actions)
    assert packing == jointcore.pack(TEXTS, QUERY, budget=40, trained=trained)


def test_a_session_is_a_day_and_what_lies_outside_is_said(trained):
    rows = [
        {"id": f"m{i}", "text": f"Note {i} says little.", "time": f"2026-03-{1 + i // 2:02}T10:00"} for i in range(6)
    ]
    packing = jointcore.pack(rows, QUERY, budget=4000, trained=trained)
    assert packing.features["sessions"] == 3
    assert packing["retain"].kept == tuple(f"m{i}" for i in range(6))
    assert any("budgets of 32 to 64 words, and 4000 lies outside" in text for text in packing.warnings)


def test_a_judge_adds_select_with_its_calls(trained):
    asked = []

    def judge(retained):
        asked.append(retained)
        return any("fifth" in text for text in retained)

    packing = jointcore.pack(TEXTS, QUERY, budget=20, trained=trained, judge=judge)
    select = packing["select"]
    assert select.calls == len(asked) > 1
    assert 1 in select.kept
    assert select.cost <= 20
    assert len(packing.actions) == 5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"budget": 0}, "budget is 0; give a whole number"),
        ({"budget": True}, "budget is True"),
        ({"budget": 9, "query": " "}, "there is no query"),
        ({"budget": 9, "question_type": "riddle"}, "question_type is 'riddle'; give one of single_fact"),
        ({"budget": 9, "cap": 3}, "cap is for a judge"),
        ({"budget": 9, "trained": "nowhere.parquet"}, "nowhere.parquet"),
        ({"budget": 9, "memories": []}, "there are no memories"),
    ],
)
def test_bad_input(arguments, sentence):
    given = {"memories": TEXTS, "query": QUERY, **arguments}
    with pytest.raises(InputError, match=sentence):
        jointcore.pack(**given)


def test_a_selection_that_does_not_end_is_said(trained):
    def judge(retained):
        raise RuntimeError("the model is away")

    with pytest.raises(InputError, match="the selection did not end: .*the model is away"):
        jointcore.pack(TEXTS, QUERY, budget=20, trained=trained, judge=judge)


def test_outcomes_without_the_actions_are_refused(tmp_path):
    path = tmp_path / "some.parquet"
    rows = outcomes(generate(NotesPlan(questions=4)), [32], Losses(), actions=("retain", "merge"))
    write_outcomes(path, rows)
    with pytest.raises(InputError, match="cannot train a router .*snakemake --cores all oas"):
        jointcore.pack(TEXTS, QUERY, budget=20, trained=path)


def test_the_command(trained, capsys):
    command = ["pack", DEPLOY, "--budget", "20", "--query", "May we deploy the build today?"]
    assert main([*command, "--trained", str(trained)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("the router takes ")
    assert "hold 1.70 times the budget" in said
    for action in ACTIONS:
        assert f"\n{action}: " in said
    assert main([*command, "--answers", "YES", "NO"]) == 1
    assert "--answers is for Select, which needs a judge" in capsys.readouterr().err
    assert main([*command, "--model", "nowhere"]) == 1
    assert "give them with --answers" in capsys.readouterr().err


def test_the_command_without_a_file_learns_from_the_default_benchmark(capsys):
    assert main(["pack", DEPLOY, "--budget", "64", "--query", "Who is on call now?", "--type", "single_fact"]) == 0
    assert "single fact" in capsys.readouterr().out
