"""Retain or consolidate: the notes, the operators, the decomposition and the routers."""

import json
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jointcore.consolidation.evaluate import decompose, outcomes, read_outcomes, write_outcomes
from jointcore.consolidation.features import FEATURES, features, shape_features
from jointcore.consolidation.generate import NotesPlan, generate
from jointcore.consolidation.notes import QUESTION_TYPES, Fact, Inquiry, Note, Statement, cost, cut
from jointcore.consolidation.operators import ACTIONS, BLURRED, SELECT, Losses, apply, pack
from jointcore.consolidation.reader import answers
from jointcore.consolidation.router import POLICIES, Table, calibrated, cross_fitted, direct, folds, oracle
from jointcore.consolidation.routing import choices, crossover, decomposition, routing_results, routing_table
from jointcore.consolidation.selecting import choose, select
from jointcore.errors import InputError
from jointcore.report.oas_pages import compare_oas, oas_page
from paths import PROJECT

BUDGETS = [32, 64, 128, 256]
SHARP = Losses(blurred={})


@pytest.fixture(scope="module")
def inquiries():
    return list(generate(NotesPlan(questions=24)))


@pytest.fixture(scope="module")
def rows(inquiries):
    return list(outcomes(inquiries, BUDGETS, Losses()))


def note(identifier, text, fact=None):
    statements = () if fact is None else (Statement(text, fact, True),)
    return Note(identifier, identifier, "" if fact else text, statements)


OLD = Fact("Ada", "office", "amber", 1)
NEW = Fact("Ada", "office", "birch", 9)


def latest(*statements):
    cluster = tuple(Note(i, i, "", (s,)) for i, s in enumerate(statements))
    return Inquiry("q", "latest_value", "Where is Ada's office now?", (NEW,), cluster)


def test_cost_counts_alphanumeric_words_and_cut_is_hard():
    assert cost("Ada's office: amber, room 4.") == 6
    assert cut("one two, three.", 2) == "one two,"
    assert cut("one two", 2) == "one two"


def test_whole_notes_are_packed_cheapest_first():
    notes = [note(0, "a b c d"), note(1, "a b"), note(2, "a b c"), note(3, "a b")]
    assert [each.id for each in pack(notes, 7)] == [1, 2, 3]
    assert [each.id for each in pack(notes, 6)] == [1, 3]
    assert pack(notes, 1) == []


def test_the_reader_needs_dates_where_values_compete():
    dated_old, dated_new = Statement("old", OLD, True), Statement("new", NEW, True)
    question = latest(dated_old, dated_new)
    assert answers(question, [dated_old, dated_new])
    assert answers(question, [dated_new._replace(dated=False)])
    assert not answers(question, [dated_old, dated_new._replace(dated=False)])
    assert not answers(question, [dated_old])
    order = Inquiry("q", "order_in_time", "?", (OLD, NEW), question.cluster)
    assert answers(order, [dated_old, dated_new])
    assert not answers(order, [dated_old, dated_new._replace(dated=False)])


def test_operators_lose_what_they_are_said_to_lose():
    twice = (Statement("The office of Ada is amber on day 1", OLD, True),) * 2
    question = latest(*twice, Statement("The office of Ada is birch on day 9", NEW, True))
    merged = apply("merge", question, 100, SHARP)
    assert [s.fact for s in merged.statements] == [OLD, NEW]
    assert len(apply("merge", question, 100, Losses(merge_drops_duplicates=False, blurred={})).statements) == 3
    short = apply("abstract", question, 100, SHARP)
    assert [(s.fact, s.dated) for s in short.statements] == [(NEW, False)]
    both = apply("abstract", question, 100, Losses(abstract_keeps_superseded=True, blurred={}))
    assert [s.fact for s in both.statements] == [OLD, NEW]
    undated = apply("rewrite", question, 100, Losses(rewrite_keeps_dates=False, blurred={}))
    assert not any(s.dated for s in undated.statements)
    blurred = apply("merge", question, 100, Losses(blurred={"merge": 1.0}))
    assert {s.fact.value for s in blurred.statements} == {BLURRED}


def test_every_output_stays_within_its_budget(inquiries):
    for inquiry in inquiries:
        for budget in (1, 10, *BUDGETS):
            for action in ACTIONS:
                assert apply(action, inquiry, budget, Losses()).cost <= budget
            assert select(inquiry, budget)[0].cost <= budget


def test_everything_is_answered_from_all_notes_and_nothing_from_none(inquiries):
    for inquiry in inquiries:
        assert answers(inquiry, [s for each in inquiry.cluster for s in each.statements])
        assert not answers(inquiry, [])
    assert {inquiry.type for inquiry in inquiries} == set(QUESTION_TYPES)
    assert inquiries == list(generate(NotesPlan(questions=24)))


def test_coverage_and_replacement_add_up_to_the_gain_on_every_row(rows):
    for row in rows:
        assert row["coverage"] + row["replacement"] == row["utility"] - row["retain_utility"]
        assert not (row["coverage"] and row["replacement"])
        assert row["notes_that_fit"] == 0 or row["coverage"] == 0
        assert row["coverage"] >= 0


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 3))
def test_the_decomposition_is_exact(value, retained, fitting):
    assert sum(decompose(value, retained, fitting)) == value - retained


def test_the_crossover_moves_with_the_length_of_the_evidence_not_with_the_budget():
    """Proposition 2: stretch the evidence and the budget alike, and Abstract's crossover stretches with them."""
    found = []
    for stretch in (1, 2, 4):
        plan = NotesPlan(questions=24, filler=(20, 48), stretch=stretch)
        length = np.mean([sum(n.cost for n in each.cluster) for each in generate(plan)])
        budgets = [round(share * length) for share in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)]
        means = decomposition(outcomes(generate(plan), budgets, SHARP, ACTIONS))
        ends = crossover(means, "abstract")
        found.append((length, ends))
    shares = [ends / length for length, ends in found]
    assert max(shares) - min(shares) < 0.15
    assert found[2][1] > 1.8 * found[0][1]


def test_select_keeps_the_answer_with_few_calls_and_never_harms(inquiries, rows):
    for inquiry in inquiries:
        chosen = choose(inquiry)
        assert answers(inquiry, [s for i in chosen.notes for s in inquiry.cluster[i].statements])
    selecting = [row for row in rows if row["action"] == SELECT]
    assert np.mean([row["calls"] for row in selecting]) < np.mean([row["notes"] for row in selecting]) + 1
    harmed = sum(row["utility"] < row["retain_utility"] for row in selecting)
    assert harmed == 0
    small, large = (np.mean([r["utility"] for r in selecting if r["budget"] == b]) for b in (32, 256))
    assert small < large == 1.0


def test_the_features_are_the_published_eleven(inquiries):
    assert len(FEATURES) == 11
    found = dict(zip(FEATURES, features(inquiries[0], 64), strict=True))
    cluster = inquiries[0].cluster
    assert found["budget_512"] == 0.125
    assert found["notes"] == len(cluster)
    assert found["cost_per_budget"] == sum(n.cost for n in cluster) / 64
    assert found["type_single_fact"] == 1
    assert sum(found[f"type_{kind}"] for kind in QUESTION_TYPES) == 1
    assert shape_features(["one text"]) == (0.0, 1.0)
    distance, cosine = shape_features(["same words", "same words"])
    assert (round(distance, 12), round(cosine, 12)) == (0.0, 1.0)


def test_folds_never_split_a_question(rows):
    table = routing_table(rows, ACTIONS)
    fold = folds(table.questions)
    by_question = defaultdict(set)
    for question, number in zip(table.questions, fold, strict=True):
        by_question[question].add(number)
    assert all(len(numbers) == 1 for numbers in by_question.values())
    sizes = np.bincount([next(iter(numbers)) for numbers in by_question.values()])
    assert len(sizes) == 5
    assert sizes.max() - sizes.min() <= 1


def test_a_policy_never_sees_the_questions_that_it_is_tested_on(rows):
    table = routing_table(rows, ACTIONS)
    tested = []

    def fit(seen, calibrate):
        assert not set(seen.questions) & set(calibrate.questions)

        def policy(test):
            assert not set(test.questions) & (set(seen.questions) | set(calibrate.questions))
            tested.extend(test.questions)
            return np.zeros(len(test.questions), dtype=int)

        return policy

    cross_fitted(table, fit)
    assert sorted(tested) == sorted(table.questions)


def test_the_router_beats_the_best_fixed_action_and_none_beats_the_oracle(rows):
    chosen = choices(routing_table(rows, ACTIONS), routing_table(rows, (*ACTIONS, SELECT)))
    found = routing_results(chosen, replicates=200)
    whole = found[found["budget"] == 0].set_index("policy")
    assert whole.loc["direct", "accuracy"] > whole.loc["best_fixed", "accuracy"]
    own = whole.drop(["select", "direct_with_select", "oracle_with_select"])
    assert whole.loc["oracle", "accuracy"] == own["accuracy"].max()
    assert whole.loc["oracle", "harms"] == 0
    assert whole.loc["calibrated", "harms"] < whole.loc["direct", "harms"]
    assert whole.loc["retain", "gain"] == 0
    assert set(POLICIES) <= set(whole.index)
    page = oas_page(found, decomposition(rows), compare_oas(json.loads(PUBLISHED.read_text())))
    assert "OAS, calibrated" in page


def test_with_a_permuted_outcome_the_router_gains_nothing(rows):
    table = routing_table(rows, ACTIONS)
    rng = np.random.default_rng(0)
    gains = []
    for _ in range(4):
        # Which action was how good is dealt out anew among the questions of a budget: nothing is left to learn of them.
        shuffled = table.utilities.copy()
        for budget in np.unique(table.budgets):
            here = np.flatnonzero(table.budgets == budget)
            shuffled[here] = shuffled[rng.permutation(here)]
        permuted = Table(table.questions, table.budgets, table.features, shuffled, table.actions)
        rows_ = np.arange(len(table.questions))
        routed = shuffled[rows_, cross_fitted(permuted, direct)]
        best = shuffled[rows_, cross_fitted(permuted, POLICIES["best_fixed"])]
        gains.append((routed - best).mean())
    assert np.mean(gains) < 0.01


def test_calibration_abstains_where_any_choice_harms():
    """Every predicted advantage is harmful on the calibrating questions, so nothing may be taken."""
    features_ = np.array([[i % 2] + [0.0] * 10 for i in range(40)])
    helped = np.column_stack([np.zeros(40), np.ones(40)])
    harmed = np.column_stack([np.ones(40), np.zeros(40)])
    names = np.array([f"q{i:02d}" for i in range(40)], dtype=object)
    budgets = np.full(40, 64)
    actions = ("retain", "merge")
    fit = Table(names, budgets, features_, helped, actions)
    bad = Table(names, budgets, features_, harmed, actions)
    assert (direct(fit, bad)(fit) == 1).all()
    assert (calibrated(fit, bad)(fit) == 0).all()
    assert (calibrated(fit, fit)(fit) == 1).all()
    assert (oracle(fit, bad)(bad) == 0).all()


def test_outcomes_are_written_and_read_whole(tmp_path, rows):
    count = write_outcomes(tmp_path / "exact.parquet", rows)
    assert count == len(rows) == 24 * 4 * len(BUDGETS) * 5
    assert read_outcomes(tmp_path / "exact.parquet") == rows
    frame = pd.read_parquet(tmp_path / "exact.parquet")
    needed = ["question", "budget", "action", "utility", "retain_utility", "coverage", "replacement"]
    assert set(needed) <= set(frame.columns)


PUBLISHED = PROJECT / "resources/published/oas.json"


def test_published_figures_stand_as_not_run():
    found = compare_oas(json.loads(PUBLISHED.read_text()))
    assert set(found["verdict"]) == {"not run"}
    assert len(found) == 7 * 4 + 3 * 4 + 2 * 4 + 4 + 3 * 4 + 7
    row = found[(found["place"] == "LongMemEval: accuracy") & (found["what"] == "OAS, direct, budget 32")]
    assert row["published"].item() == "0.545"


def test_a_range_that_is_empty_is_refused():
    with pytest.raises(InputError, match=r"oas/benchmark/notes is \[5, 2\]; give a lowest value of at least 1"):
        NotesPlan.from_settings({"notes": [5, 2]})
    with pytest.raises(ValueError, match="needs the actions retain, merge"):
        routing_table([dict.fromkeys(("question", "budget", "action", "utility"), 1)], ACTIONS)
